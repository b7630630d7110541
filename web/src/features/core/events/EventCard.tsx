import {
  IconAlertTriangle,
  IconBell,
  IconCircleCheck,
  IconExternalLink,
  IconSquareX,
} from '@tabler/icons-react'
import { readEventText, type TextRun } from '@vigil/contract/core/event-text.ts'
import type { EventClass, PrinterEvent } from '@vigil/contract/core/events.ts'
import { memo, useState, Fragment, type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { dateAndTime } from '../../../lib/format.ts'
import styles from './Events.module.css'

const SIGNS = {
  ERROR: IconSquareX,
  WARNING: IconAlertTriangle,
  SUCCESS: IconCircleCheck,
  INFO: IconBell,
} as const satisfies Record<EventClass, unknown>

/** Its ground and its sign say of which class it is. */
export const EventCard = memo(function EventCard({ event }: { event: PrinterEvent }) {
  const { t, i18n } = useTranslation('events')
  const Sign = SIGNS[event.event_class]
  const title = event.event_title ?? t('unknown')
  return (
    <li className={styles.card} data-class={event.event_class} data-event={event.id}>
      <article aria-labelledby={`event-${event.id}`}>
        <Sign
          size={20}
          stroke={1.75}
          role="img"
          aria-label={t(`classes.${event.event_class}`)}
          className={styles.sign}
        />
        <div className={styles.words}>
          <h2 id={`event-${event.id}`} className={styles.title}>
            {title}
          </h2>
          <time dateTime={event.created_at} className={styles.time}>
            {dateAndTime(i18n.language, Date.parse(event.created_at), 'long')}
          </time>
          {event.event_text && (
            <p className={styles.text}>
              <EventText html={event.event_text} />
            </p>
          )}
          {event.info_url && (
            <a href={event.info_url} target="_blank" rel="noopener noreferrer" className={styles.more}>
              {t('more')}
              <IconExternalLink size={14} stroke={1.75} aria-hidden />
            </a>
          )}
        </div>
        {event.image_url && <EventPicture src={event.image_url} alt={t('picture', { title })} />}
      </article>
    </li>
  )
})

/** The picture, or that it is gone: its print was deleted, or it is older than what is kept. */
function EventPicture({ src, alt }: { src: string; alt: string }) {
  const { t } = useTranslation('events')
  const [isGone, setGone] = useState(false)
  if (isGone) return <p className={`${styles.picture} ${styles.gone}`}>{t('pictureGone')}</p>
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
