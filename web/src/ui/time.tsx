import { useTranslation } from '../lib/translation.ts'
import { serverNow, useNow } from '../lib/clock.ts'
import * as format from '../lib/format.ts'

/** Durations, ages and moments in the reader's language. */
export function useTimeText() {
  const { t, i18n } = useTranslation('common')
  const units = { s: t('units.s'), min: t('units.min'), h: t('units.h'), d: t('units.d') }
  function span(seconds: number): string {
    const { unit, count } = format.age(seconds)
    return t(`age.${unit}`, { count })
  }
  return {
    duration: (seconds: number) => format.duration(seconds, units),
    hours: (hours: number) => format.hoursText(hours, units),
    /** `4 s`: an age without its word. */
    span,
    /** `4 s ago`. */
    ago: (seconds: number) => (seconds < 1 ? t('justNow') : t('ago', { span: span(seconds) })),
    moment: (at: number) => format.moment(at, serverNow(), i18n.language),
  }
}

/** `4 s ago`, ticking. */
export function Ago({ at }: { at: number }) {
  const now = useNow()
  const { ago } = useTimeText()
  return <time dateTime={new Date(at).toISOString()}>{ago((now - at) / 1000)}</time>
}
