import { Box, Button, PasswordInput } from '@mantine/core'
import type { SharedPrinter } from '@vigil/contract/remote/sharing.ts'
import { IconLinkOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { usePlace } from '../../../lib/address.ts'
import { useNow } from '../../../lib/clock.ts'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { useLine } from '../../../lib/line.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { type LiveSocket, openSocket, type SocketState } from '../../../lib/socket.ts'
import { useTitle } from '../../../lib/title.ts'
import { Failed, Notice, useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { PictureTag } from '../../../ui/PictureTag.tsx'
import {
  movingOf,
  noteOf,
  rungsOf,
  useVideo,
  type Video,
  VideoNote,
  VideoTags,
} from '../../../video/index.ts'
import { PublicFrame } from '../../../ui/PublicFrame.tsx'
import { Snapshot } from '../../../ui/Snapshot.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { useCameraName } from '../../../printer/camera/useCameraName.ts'
import { type Camera, cameras, FRESH_IDLE_MS, isMoving, orientation } from '../../../printer/camera/camera.ts'
import { useFreshStill } from '../../../printer/camera/useFreshStill.ts'
import styles from './Sharing.module.css'
import { sharedQuery, unlock } from './sharing.api.ts'

/** What whoever holds a share link sees: the printer's name and its camera, and nothing else. */
export default function SharedPrinterScreen() {
  const { t } = useTranslation('sharing')
  const token = usePlace('token') ?? ''
  const { data, error, isPending, refetch } = useQuery(sharedQuery(token))
  const problem = error ? problemOf(error) : null
  useTitle(problem ? '' : (data?.name ?? ''))

  if (isPending) return <Frame>{<div aria-busy="true" />}</Frame>
  if (problem?.kind === 'missing')
    return (
      <Frame>
        <Notice whole picture={<IconLinkOff size={40} stroke={1.25} />} title={t('public.endedTitle')}>
          {t('public.endedText')}
        </Notice>
      </Frame>
    )
  if (problem?.kind === 'forbidden')
    return (
      <Frame>
        <PinDoor token={token} onOpen={() => void refetch()} />
      </Frame>
    )
  if (!data || problem)
    return (
      <Frame>
        <Failed
          whole
          title={t('public.failed')}
          problem={problem ?? { kind: 'offline' }}
          onRetry={() => void refetch()}
        />
      </Frame>
    )
  return (
    <Frame>
      <Stage token={token} shared={data} onRevoked={() => void refetch()} />
    </Frame>
  )
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <PublicFrame>
      {children}
      <Invitation />
    </PublicFrame>
  )
}

/** An anonymous viewer may become an owner, where the operator takes new accounts. */
function Invitation() {
  const { t } = useTranslation('sharing')
  const { user, settings, page_context: context } = useBootstrap()
  if (user || !settings.ACCOUNT_ALLOW_SIGN_UP) return null
  return (
    <aside className={styles.invite}>
      <div>
        <strong>{t('public.inviteTitle', { brand: context.syndicate.display_name })}</strong>
        <p>{t('public.inviteText')}</p>
      </div>
      <Button variant="filled" renderRoot={(props) => <Link {...props} to={paths.signUp} />}>
        {t('public.signUp')}
      </Button>
    </aside>
  )
}

function PinDoor({ token, onOpen }: { token: string; onOpen: () => void }) {
  const { t } = useTranslation('sharing')
  const problemText = useProblemText()
  const [pin, setPin] = useState('')
  const opening = useMutation({ mutationFn: () => unlock(token, pin), onSuccess: onOpen })
  const problem = opening.error ? problemOf(opening.error) : null
  const wrong = problem?.kind === 'fields' && problem.fields['pin'] !== undefined
  return (
    <div className={styles.door}>
      <Panel>
        <h1>{t('public.pinTitle')}</h1>
        <form
          className={styles.doorForm}
          onSubmit={(event) => {
            event.preventDefault()
            if (pin) opening.mutate()
          }}
        >
          <PasswordInput
            label={t('public.pin')}
            description={t('public.pinHint')}
            value={pin}
            autoComplete="off"
            maxLength={12}
            error={problem ? (wrong ? t('public.pinWrong') : problemText(problem)) : undefined}
            onChange={(event) => setPin(event.currentTarget.value)}
          />
          <Button type="submit" variant="filled" fullWidth disabled={!pin} loading={opening.isPending}>
            {t('public.pinAction')}
          </Button>
        </form>
      </Panel>
    </div>
  )
}

interface StageProps {
  token: string
  shared: SharedPrinter
  onRevoked: () => void
}

function Stage({ token, shared, onRevoked }: StageProps) {
  const { t } = useTranslation('sharing')
  const { state, askForStill } = useSharedLine(token, onRevoked)
  const { lost } = useLine()
  const quiet = lost || state === 'lost' || state === 'paused'
  const all = cameras(shared.settings)
  return (
    <>
      <div className={styles.stageHead}>
        <h1>{shared.name}</h1>
        <p role="status">{t(state === 'paused' ? 'public.paused' : 'public.lead')}</p>
      </div>
      <div className={styles.cameras} data-several={all.length > 1 || undefined}>
        {all.map((camera, at) => (
          <SharedCamera
            token={token}
            key={camera.key}
            shared={shared}
            camera={camera}
            place={all.length > 1 ? at : null}
            quiet={quiet}
            askForStill={askForStill}
          />
        ))}
      </div>
    </>
  )
}

/** The place of a camera without a picture. */
const NOTHING = { flipH: false, flipV: false, rotation: 0, ratio: 16 / 9 } as const

interface SharedCameraProps {
  token: string
  shared: SharedPrinter
  camera: Camera
  /** Among several; null for the only one. */
  place: number | null
  quiet: boolean
  askForStill: () => void
}

/** A viewer's video, and stills where there is none. */
function useSharedVideo({
  token,
  camera,
  quiet,
  askForStill,
}: Pick<SharedCameraProps, 'token' | 'camera' | 'quiet' | 'askForStill'>): Video {
  const video = useVideo({
    path: `/ws/share_token/janus/${encodeURIComponent(token)}/`,
    rungs: rungsOf(camera.stream, camera.primary),
    why: null,
    auto: true,
    possible: !quiet,
    cycleKey: null,
  })
  useFreshStill(camera.primary && !quiet && !isMoving(video.shown), askForStill)
  return video
}

/** One camera with the age of its picture, which only the main one has (docs/wire/agents.md 3.2). */
function SharedCamera({ token, shared, camera, place, quiet, askForStill }: SharedCameraProps) {
  const { t } = useTranslation('sharing')
  const { t: tc } = useTranslation('camera')
  const nameOf = useCameraName()
  const now = useNow()
  const { ago, moment } = useTimeText()
  const pic = camera.primary ? shared.pic : null
  const takenAt = ms(pic?.taken_at)
  const old = takenAt !== null && now - takenAt > FRESH_IDLE_MS
  const video = useSharedVideo({ token, camera, quiet, askForStill })
  const moving = movingOf(video, tc('altVideo', { name: shared.name }))
  return (
    <div className={styles.camera}>
      <Snapshot
        moving={moving}
        src={pic?.img_url ?? null}
        alt={t('public.alt', { name: shared.name })}
        orientation={camera.primary || moving?.size ? orientation(camera) : NOTHING}
        stale={quiet || old}
        topLeft={
          <>
            {place !== null && <PictureTag>{nameOf(camera, place)}</PictureTag>}
            <VideoTags video={video} />
          </>
        }
        bottomRight={
          takenAt !== null &&
          !moving?.size && (
            <PictureTag>
              {old ? tc('from', { moment: moment(takenAt) }) : ago((now - takenAt) / 1000)}
            </PictureTag>
          )
        }
        empty={camera.primary ? t('public.noPicture') : tc('mainOnly')}
      />
      {noteOf(video.shown) && (
        <Box p="8px 14px" bg="var(--v-surface)">
          <VideoNote video={video} />
        </Box>
      )}
    </div>
  )
}

/** The viewer's socket: each frame is all that may be seen. */
function useSharedLine(
  token: string,
  onRevoked: () => void,
): { readonly state: SocketState; readonly askForStill: () => void } {
  const client = useQueryClient()
  const [state, setState] = useState<SocketState>('connecting')
  const revoked = useRef(onRevoked)
  revoked.current = onRevoked
  const line = useRef<LiveSocket | null>(null)
  useEffect(() => {
    const socket = openSocket(`/ws/share_token/web/${encodeURIComponent(token)}/`, {
      onState: setState,
      onRevoked: () => revoked.current(),
      onMessage: (message) => {
        if (message && typeof message === 'object' && 'name' in message)
          client.setQueryData(sharedQuery(token).queryKey, message as SharedPrinter)
      },
    })
    line.current = socket
    return () => socket.close()
  }, [client, token])
  return { state, askForStill: () => void line.current?.send({ still: true }) }
}
