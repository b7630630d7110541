import { ActionIcon, Box, NativeSelect } from '@mantine/core'
import { IconArrowAutofitHeight, IconMaximize, IconMinimize, IconRotateClockwise } from '@tabler/icons-react'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { type ReactNode, useRef, type RefObject } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { serverNow } from '../../../lib/clock.ts'
import { useShortcut } from '../../../lib/shortcuts.ts'
import { useStoredChoice } from '../../../lib/stored.ts'
import { toast } from '../../../lib/toast.ts'
import { orientation } from '../../../printer/camera/camera.ts'
import { useCameraName } from '../../../printer/camera/useCameraName.ts'
import { useCameraVideo } from '../../../printer/camera/useCameraVideo.ts'
import { useTurn } from '../../../printer/camera/useTurn.ts'
import { PictureTag } from '../../../ui/PictureTag.tsx'
import type { Orientation } from '../../../ui/Snapshot.tsx'
import { useFullScreen } from '../../../ui/useFullScreen.ts'
import { noteOf, type Video, VideoNote, float, pictureIn, savePicture } from '../../../video/index.ts'
import { BigPicture } from './BigPicture.tsx'
import camera from './Camera.module.css'
import styles from './CameraPanel.module.css'
import { LayersMenu } from './LayersMenu.tsx'
import { useViews, type Views } from './useViews.ts'
import type { View } from './views.ts'
import { ViewStrip } from './ViewStrip.tsx'

/**
 * The big picture, the others beside it, and how they are shown: what the camera saw last, or what an open alert
 * is about. `className` is how the page places it.
 */
export function CameraPanel({ printer, className }: { printer: Printer; className: string | undefined }) {
  const { t } = useTranslation('camera')
  const ref = useRef<HTMLDivElement>(null)
  const views = useViews(printer)
  const nameOf = useCameraName()
  const { big } = views
  const [turned, turn] = useTurn(printer.id, big.camera)
  const [height, setHeight] = useStoredChoice('camera-height', ['full', 'half'], 'full')
  const full = useFullScreen(ref)
  const half = height === 'half'
  const video = useCameraVideo(printer, big.camera, big.kind === 'live')
  const { save, float } = useKeep(ref, printer.name, orientation(big.camera, turned))
  const toggleHalf = () => setHeight(half ? 'full' : 'half')

  useShortcut('fullScreen', full.toggle)
  useShortcut('turnCamera', turn)
  useShortcut('play', video.possible && !video.cycle?.rest ? video.toggle : null)
  useShortcut('savePicture', save)
  useShortcut('float', video.shown.phase === 'playing' ? float : null)

  const { ratio } = orientation(big.camera, turned)
  const frameRatio = half ? ratio * 2 : ratio
  const several = views.all.length > 1
  const name = several && <PictureTag>{nameOf(big.camera, views.all.indexOf(big.camera))}</PictureTag>

  return (
    <div
      className={`${styles.panel} ${className ?? ''}`}
      ref={ref}
      data-tall={(!half && ratio < 1.2) || undefined}
      data-half={half || undefined}
      data-full={full.isFull || undefined}
    >
      <BigPicture
        printer={printer}
        view={big}
        video={video}
        frameRatio={frameRatio}
        name={name}
        onSave={save}
        onFloat={float}
      />
      <ViewStrip printer={printer} views={views} />
      <div className={styles.bar}>
        {several && <Which views={views} />}
        <Note view={big} video={video} quiet={several} />
        <Box component="span" flex="none" ml="auto">
          <LayersMenu printer={printer} inside={full.isFull ? ref.current : null} />
          <Tool label={t('rotate')} onClick={turn}>
            <IconRotateClockwise size={18} stroke={1.75} />
          </Tool>
          {!full.isFull && (
            <Tool label={t('half')} pressed={half} onClick={toggleHalf}>
              <IconArrowAutofitHeight size={18} stroke={1.75} />
            </Tool>
          )}
          <Tool label={t(full.isFull ? 'leaveFull' : 'full')} onClick={full.toggle}>
            {full.isFull ? (
              <IconMinimize size={18} stroke={1.75} />
            ) : (
              <IconMaximize size={18} stroke={1.75} />
            )}
          </Tool>
        </Box>
      </div>
    </div>
  )
}

interface NoteProps {
  view: View
  video: Video
  /** Says only what is wrong. */
  quiet: boolean
}

/** What the big picture is, and why it is no better. */
function Note({ view, video, quiet }: NoteProps) {
  const { t } = useTranslation('camera')
  const isLive = view.kind === 'live'
  if (isLive && noteOf(video.shown)) return <VideoNote video={video} />
  if (quiet) return null
  return <span>{t(!isLive ? 'alertView' : video.shown.phase === 'playing' ? 'video' : 'snapshots')}</span>
}

/** One of several cameras, or all of them. */
function Which({ views }: { views: Views }) {
  const { t } = useTranslation('camera')
  const nameOf = useCameraName()
  return (
    <NativeSelect
      size="xs"
      className={camera.which}
      aria-label={t('which')}
      value={views.preferred}
      onChange={(event) => views.prefer(event.currentTarget.value)}
      data={[
        { value: 'all', label: t('all') },
        ...views.all.map((each, at) => ({ value: each.key, label: nameOf(each, at) })),
      ]}
    />
  )
}

interface ToolProps {
  label: string
  pressed?: boolean
  onClick: () => void
  children: ReactNode
}

function Tool({ label, pressed, onClick, children }: ToolProps) {
  return (
    <ActionIcon aria-label={label} title={label} aria-pressed={pressed} onClick={onClick}>
      {children}
    </ActionIcon>
  )
}

/** Keeps what is seen in a place as a file, or has it float above other windows. */
function useKeep(place: RefObject<HTMLElement | null>, name: string, turned: Orientation) {
  const { t } = useTranslation('video')
  const picture = () => pictureIn(place.current?.querySelector('[data-picture]') ?? null)
  const failed = () => toast(t('keepFailed'), 'failed')
  return {
    save() {
      const shown = picture()
      const moment = new Date(serverNow()).toISOString().slice(0, 19).replaceAll(':', '-')
      if (shown) void savePicture(shown, turned, t('file', { name, moment })).catch(failed)
      else failed()
    },
    float() {
      const shown = picture()
      if (shown) void float(shown).catch(failed)
    },
  }
}
