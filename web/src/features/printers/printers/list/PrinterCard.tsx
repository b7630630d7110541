import { ActionIcon, Box, Button } from '@mantine/core'
import { IconPlayerPauseFilled, IconPlayerPlayFilled, IconSettings, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { memo, useRef } from 'react'
import { useTranslation } from '../../../../lib/translation.ts'
import { useNow } from '../../../../lib/clock.ts'
import { percent } from '../../../../lib/format.ts'
import { paths } from '../../../../lib/paths.ts'
import { useOnScreen } from '../../../../lib/useOnScreen.ts'
import { mainCamera } from '../../../../printer/camera/camera.ts'
import { CameraPicture } from '../../../../printer/camera/CameraPicture.tsx'
import { useCameraVideo } from '../../../../printer/camera/useCameraVideo.ts'
import { useSeen } from '../../../../printer/live/account-line.ts'
import { isMine, mayControl, mayEdit } from '../../../../printer/rights.ts'
import { SharedBy } from '../../../../printer/SharedBy.tsx'
import { awayOf, hasOpenAlert, isAfterRestart, isOffline, isWaiting } from '../../../../printer/state.ts'
import { StatePill } from '../../../../printer/StatePill.tsx'
import { readStatus, type StatusReading } from '../../../../printer/status.ts'
import { useCommands } from '../../../../printer/useCommands.ts'
import { useTransition } from '../../../../printer/useTransition.ts'
import { Bar } from '../../../../ui/Bar.tsx'
import { useTimeText } from '../../../../ui/time.tsx'
import { PlayButton, VideoTags } from '../../../../video/index.ts'
import { ShareButton } from '../../../remote/sharing/index.ts'
import { OpenTunnel } from '../../../remote/tunnels/index.ts'
import { AlertBox } from '../AlertBox.tsx'
import { canTake } from './bulk.ts'
import { SettingsSection, TemperatureSection, TimeSection } from './CardSections.tsx'
import shared from '../../../../ui/shared.module.css'
import styles from './PrinterCard.module.css'
import { useNear } from './useNear.ts'
import { WatchLine } from './WatchLine.tsx'

/** About as high as a card of an idle printer: the place of one that was never drawn. */
const GUESSED_HEIGHT = 440

/** One printer at a glance: is it printing, is it watched, does it need me. Drawn only near the screen. */
export const PrinterCard = memo(function PrinterCard({
  printer,
  first,
}: {
  printer: Printer
  first: boolean
}) {
  const ref = useRef<HTMLElement>(null)
  const { near, height } = useNear(ref, first)
  const alerting = hasOpenAlert(printer)
  return (
    <article
      ref={ref}
      className={styles.card}
      data-alert={alerting || undefined}
      style={near ? undefined : { height: height ?? GUESSED_HEIGHT }}
    >
      {near ? <Card printer={printer} alerting={alerting} place={ref} /> : <CardName printer={printer} />}
    </article>
  )
})

function CardName({ printer }: { printer: Printer }) {
  return (
    <h2 className={styles.name}>
      <Link to={paths.control(printer.id)} className={styles.link}>
        {printer.name}
      </Link>
    </h2>
  )
}

interface CardProps {
  printer: Printer
  alerting: boolean
  place: React.RefObject<HTMLElement | null>
}

function Card({ printer, alerting, place }: CardProps) {
  const onScreen = useOnScreen(place, '0px')
  useSeen(printer.id, onScreen)
  const video = useCameraVideo(printer, mainCamera(printer.settings), onScreen && !alerting)
  const transition = useTransition(printer)
  const commands = useCommands(printer)
  const reading = readStatus(printer)
  const offline = isOffline(printer)
  return (
    <>
      <Box bg="var(--v-camera)">
        <CameraPicture
          printer={printer}
          frameRatio={16 / 9}
          fill={!alerting}
          video={video}
          topLeft={
            <>
              <StatePill printer={printer} transition={transition} onPicture />
              <VideoTags video={video} brief />
            </>
          }
          bottomLeft={<PlayButton video={video} small />}
        />
      </Box>
      <Box p="14px 16px" flex={1} data-live>
        <div className={shared.ends}>
          <CardName printer={printer} />
          {reading && printer.current_print && <TimeLeft reading={reading} />}
        </div>
        <SharedBy printer={printer} />
        {printer.current_print ? (
          <CardProgress printer={printer} reading={reading} alerting={alerting} />
        ) : (
          <IdleLine printer={printer} />
        )}
      </Box>
      {alerting && <AlertBox printer={printer} transition={transition} commands={commands} />}
      {!alerting && !offline && <WatchLine printer={printer} />}
      {!alerting && mayEdit(printer) && <SettingsSection printer={printer} />}
      {!alerting && reading && printer.current_print && <TimeSection printer={printer} reading={reading} />}
      {!alerting && reading && reading.heaters.length > 0 && (
        <TemperatureSection printer={printer} reading={reading} />
      )}
      <CardActions printer={printer} transition={transition} commands={commands} alerting={alerting} />
    </>
  )
}

function TimeLeft({ reading }: { reading: StatusReading }) {
  const { t } = useTranslation('printers')
  const now = useNow()
  const { duration, moment } = useTimeText()
  if (reading.leftS === null || reading.paused) return null
  return (
    <Box component="span" flex="none" fz={13} c="var(--v-faint)">
      {t('timeLeft', { duration: duration(reading.leftS) })} · {moment(now + reading.leftS * 1000)}
    </Box>
  )
}

interface CardProgressProps {
  printer: Printer
  reading: StatusReading | null
  alerting: boolean
}

function CardProgress({ printer, reading, alerting }: CardProgressProps) {
  const { t } = useTranslation('printers')
  const completion = reading?.completion ?? null
  return (
    <>
      <Bar
        value={completion ?? 0}
        color={alerting ? 'bad' : 'accent'}
        aria-label={t('progress')}
        className={styles.progress}
      />
      <div className={styles.file}>
        <Box component="span" className={shared.cut} miw={0} title={printer.current_print?.filename}>
          {printer.current_print?.filename}
        </Box>
        {completion !== null && <strong>{percent(completion)}</strong>}
      </div>
    </>
  )
}

function IdleLine({ printer }: { printer: Printer }) {
  const { t } = useTranslation('printers')
  const reading = readStatus(printer)
  if (isAfterRestart(printer)) return <p className={styles.idle}>{t('idle.afterRestart')}</p>
  if (isWaiting(printer)) return <p className={styles.idle}>{t('idle.waiting')}</p>
  const away = awayOf(printer)
  if (away) return <p className={styles.idle}>{away.message?.split('\n')[0] ?? t('idle.disconnected')}</p>
  if (!reading) return <p className={styles.idle}>{t('idle.offline')}</p>
  if (reading.disconnected) return <p className={styles.idle}>{reading.error ?? t('idle.disconnected')}</p>
  return (
    <p className={styles.idle}>{reading.operational && reading.ready ? t('idle.ready') : t('idle.busy')}</p>
  )
}

interface CardActionsProps {
  printer: Printer
  transition: string | null
  commands: ReturnType<typeof useCommands>
  /** The alert has its own buttons. */
  alerting: boolean
}

/** The foot of a card: what can be done to the print, and where else to go. */
function CardActions({ printer, transition, commands, alerting }: CardActionsProps) {
  const { t: words } = useTranslation('printers')
  const disabled = commands.busy || transition !== null
  // Who may only look has nothing to press.
  if (!mayControl(printer)) return null
  return (
    <div className={styles.foot}>
      {!alerting && canTake(printer, 'pause') && (
        <Button
          size="xs"
          leftSection={<IconPlayerPauseFilled size={13} />}
          disabled={disabled}
          onClick={() => void commands.pause()}
        >
          {words('pause.button')}
        </Button>
      )}
      {!alerting && canTake(printer, 'resume') && (
        <Button
          size="xs"
          leftSection={<IconPlayerPlayFilled size={13} />}
          disabled={disabled}
          onClick={() => void commands.resume()}
        >
          {words('resume.button')}
        </Button>
      )}
      {!alerting && canTake(printer, 'cancel') && (
        <Button
          size="xs"
          leftSection={<IconX size={14} stroke={2} />}
          disabled={disabled}
          onClick={() => void commands.cancel()}
        >
          {words('cancel.button')}
        </Button>
      )}
      <WaysOn printer={printer} />
    </div>
  )
}

/** Where else one may go with it. */
function WaysOn({ printer }: { printer: Printer }) {
  const { t } = useTranslation('grid')
  const { t: words } = useTranslation('printers')
  return (
    <>
      <span className={shared.spring} />
      {isMine(printer) && <OpenTunnel printer={printer} />}
      {mayEdit(printer) && <ShareButton printer={printer} />}
      {mayEdit(printer) && (
        <ActionIcon
          aria-label={t('card.settings', { name: printer.name })}
          title={words('control.settings')}
          renderRoot={(props) => <Link {...props} to={paths.printerSettings(printer.id)} />}
        >
          <IconSettings size={18} stroke={1.75} />
        </ActionIcon>
      )}
    </>
  )
}
