import type { Print } from '@vigil/contract/prints/prints.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { dateAndTime, dateFormat, filament } from '../../../lib/format.ts'
import { dateOf, dayOf, daysOf } from '../../../lib/periods.ts'
import { useUser } from '../../../lib/session.ts'
import { serverNow } from '../../../lib/clock.ts'
import { useTimeText } from '../../../ui/time.tsx'
import type { Filters } from './filters.ts'

/** `1 Oct to 22 Nov 2026`: the days that a filter lets through; null for any. */
export function useSpanText(): (filters: Filters) => string | null {
  const { i18n } = useTranslation()
  const user = useUser()
  return ({ period, custom }) => {
    const days = daysOf(period, custom, { now: new Date(), joined: new Date(user.date_joined) })
    if (!days) return null
    const format = dateFormat(i18n.language, { day: 'numeric', month: 'short', year: 'numeric' })
    const [from, to] = [dateOf(days.from), dateOf(days.to)]
    return from <= to ? format.formatRange(from, to) : `${format.format(from)} – ${format.format(to)}`
  }
}

/** `November 2026`. */
export function useMonthText(): (month: string) => string {
  const { t, i18n } = useTranslation('history')
  const format = dateFormat(i18n.language, { month: 'long', year: 'numeric' })
  return (month) => (month ? format.format(dateOf(`${month}-01`)) : t('month.unknown'))
}

/** What is told of a print in few words. */
export function usePrintText() {
  const { t, i18n } = useTranslation('history')
  const { moment, duration } = useTimeText()
  const isToday = (at: number) => dayOf(new Date(at)) === dayOf(new Date(serverNow()))
  return {
    /** `Today 02:41`, `18 Nov 03:41`. */
    when: (at: number) => (isToday(at) ? t('row.today', { time: moment(at) }) : moment(at)),
    /** `Nov 18, 2026, 3:41`. */
    date: (at: number) => dateAndTime(i18n.language, at),
    /** The time that it printed, pauses left out. */
    took: ({ print_time }: Print) => (print_time === null ? null : duration(print_time)),
    used: ({ filament_used }: Print) => (filament_used === null ? null : filament(filament_used)),
  }
}
