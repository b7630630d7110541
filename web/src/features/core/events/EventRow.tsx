import { Box, Stack, VisuallyHidden } from '@mantine/core'
import { IconBell, IconChevronRight, IconExternalLink, IconPhotoOff } from '@tabler/icons-react'
import { readEventText, type TextRun } from '@vigil/contract/core/event-text.ts'
import type { EventClass } from '@vigil/contract/core/events.ts'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { Link } from '@tanstack/react-router'
import { memo, useState, Fragment, type ReactNode, useMemo } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { clockTime, dateAndTime, moment } from '../../../lib/format.ts'
import { dayOf } from '../../../lib/periods.ts'
import { paths } from '../../../lib/paths.ts'
import { AlertActions } from '../../../printer/AlertActions.tsx'
import { useCommands } from '../../../printer/useCommands.ts'
import { useTransition } from '../../../printer/useTransition.ts'
import { type Shape, StatusMark, type Tone } from '../../../ui/StatusMark.tsx'
import type { Story } from './days.ts'
import styles from './Events.module.css'

const SIGNS: Record<EventClass, { shape: Shape; tone: Tone }> = {
  ERROR: { shape: 'triangle', tone: 'bad' },
  WARNING: { shape: 'triangle', tone: 'warn' },
  SUCCESS: { shape: 'dot', tone: 'good' },
  INFO: { shape: 'hollow', tone: 'quiet' },
}

interface EventRowProps {
  story: Story
  /** The printer whose open alert this is. */
  alerting?: Printer | undefined
}

/** One line of the feed, which leads to its print; only an error has a ground of its own. */
export const EventRow = memo(function EventRow({ story, alerting }: EventRowProps) {
  const { event, beganAt } = story
  const { t } = useTranslation('events')
  const title = event.event_title ?? t('unknown')
  const heading = `event-${event.id}`
  return (
    <li
      className={styles.row}
      data-class={event.event_class}
      data-event={event.id}
      data-open={alerting ? true : undefined}
    >
      <article aria-labelledby={heading}>
        {event.image_url ? (
          <EventPicture src={event.image_url} alt={t('picture', { title })} />
        ) : (
          <span className={styles.picture} data-none>
            <IconBell size={16} stroke={1.75} aria-hidden />
          </span>
        )}
        <Stack component="span" gap={0}>
          <StatusMark {...SIGNS[event.event_class]} />
          <VisuallyHidden>{t(`classes.${event.event_class}`)}</VisuallyHidden>
        </Stack>
        <h3 id={heading} className={styles.title}>
          {event.print === null ? title : <Link to={paths.print(event.print)}>{title}</Link>}
        </h3>
        <div className={styles.text}>
          {event.event_text && <EventText html={event.event_text} />}
          {event.info_url && (
            <a href={event.info_url} target="_blank" rel="noopener noreferrer" className={styles.more}>
              {t('more')}
              <IconExternalLink size={14} stroke={1.75} aria-hidden />
            </a>
          )}
        </div>
        <When at={event.created_at} beganAt={beganAt} />
        {event.print !== null && (
          <IconChevronRight size={18} stroke={1.75} className={styles.chevron} aria-hidden />
        )}
        {alerting && <Answers printer={alerting} />}
      </article>
    </li>
  )
})

/** An alert that nobody has answered is answered where it is told. */
function Answers({ printer }: { printer: Printer }) {
  const commands = useCommands(printer)
  const transition = useTransition(printer)
  return (
    <div className={styles.answers}>
      <AlertActions printer={printer} transition={transition} commands={commands} />
    </div>
  )
}

/** `14:14 to 17:55`; the day of the beginning where it was another one. */
function When({ at, beganAt }: { at: string; beganAt: string | null }) {
  const { t, i18n } = useTranslation('events')
  const end = Date.parse(at)
  const began = beganAt === null ? null : Date.parse(beganAt)
  const isSameDay = began !== null && dayOf(new Date(began)) === dayOf(new Date(end))
  const from = began === null ? null : isSameDay ? clockTime(began) : moment(began, end, i18n.language)
  return (
    <Box component="time" dateTime={at} title={dateAndTime(i18n.language, end, 'long')} fz={13} ta="right">
      {from === null ? clockTime(end) : t('range', { from, to: clockTime(end) })}
    </Box>
  )
}

/** The picture, or that it is gone: its print was deleted, or it is older than what is kept. */
function EventPicture({ src, alt }: { src: string; alt: string }) {
  const { t } = useTranslation('events')
  const [isGone, setGone] = useState(false)
  if (isGone)
    return (
      <span className={styles.picture} data-none title={t('pictureGone')}>
        <IconPhotoOff size={16} stroke={1.75} role="img" aria-label={t('pictureGone')} />
      </span>
    )
  return (
    <a href={src} target="_blank" rel="noopener noreferrer" className={styles.picture}>
      <img src={src} alt={alt} loading="lazy" onError={() => setGone(true)} />
    </a>
  )
}

function styled({ text, bold, italic, underlined, href }: TextRun): ReactNode {
  let node: ReactNode = text.split('\n').map((line, at) => (
    // oxlint-disable-next-line no-array-index-key
    <Fragment key={at}>
      {at > 0 && <br />}
      {line}
    </Fragment>
  ))
  if (underlined) node = <u>{node}</u>
  if (italic) node = <i>{node}</i>
  if (bold) node = <b>{node}</b>
  if (href === undefined) return node
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {node}
    </a>
  )
}

/** What an event says, in the few styles that it may have: whoever wrote it, nothing of it is run. */
function EventText({ html }: { html: string }) {
  const runs = useMemo(() => readEventText(html), [html])
  return runs.map((run, at) => (
    // oxlint-disable-next-line no-array-index-key
    <Fragment key={at}>{styled(run)}</Fragment>
  ))
}
