import { queryOptions, useQuery } from '@tanstack/react-query'
import { useTranslation } from '../../../lib/translation.ts'
import { moment, ms } from '../../../lib/format.ts'
import { serverNow } from '../../../lib/clock.ts'
import { paths } from '../../../lib/paths.ts'
import { isElsewhere } from '../../../lib/places.ts'
import { useLater } from '../../../lib/useLater.ts'
import { usePlaces } from '../../../lib/usePlaces.ts'
import { beginsWith, hasWords } from '../../../lib/words.ts'
import { printersQuery } from '../../../printer/printers.api.ts'
import { hasOpenAlert } from '../../../printer/state.ts'
import { listGCodeFiles } from '@vigil/contract/files/gcode-files.ts'
import { listPrints } from '@vigil/contract/prints/prints.ts'
import { call } from '../../../lib/call.ts'
import type { TablerIcon } from '@tabler/icons-react'

const PENDING_MS = 200
/** Of a printer, beside its page. */
const OF_PRINTER = [
  ['settings', paths.printerSettings],
  ['terminal', paths.terminal],
  ['files', paths.printerFolder],
] as const
/** What lies below the preferences, and what is done elsewhere. */
const ACTS = [
  ['wizard', paths.wizard],
  ['slice', paths.slice],
  ['channels', paths.notifications],
  ['rules', paths.rules],
  ['deliveries', paths.deliveries],
  ['security', paths.security],
  ['apps', paths.apps],
  ['emails', paths.emails],
  ['password', paths.changePassword],
] as const
/** Sections of the preferences that are found by the names they have there. */
const SECTIONS = [
  ['general', paths.general],
  ['profile', paths.profile],
  ['household', paths.household],
  ['delete', paths.leave],
] as const

export interface Group {
  readonly kind: 'printers' | 'pages' | 'files' | 'prints'
  readonly finds: readonly Find[]
}

/** What there is to go to by that name, by kind: only what the caller sees anyway, since each kind is asked of the server as its pages ask it. */
export function useFinds(typed: string) {
  const sought = typed.trim()
  const q = useLater(sought, PENDING_MS)
  const files = useQuery(filesNamed(q))
  const prints = useQuery(printsNamed(q))
  const groups: Group[] = [
    { kind: 'printers', finds: usePrinterFinds(sought) },
    { kind: 'pages', finds: usePageFinds(sought) },
    {
      kind: 'files',
      finds:
        sought === ''
          ? []
          : (files.data ?? []).map(({ id, filename }) => ({ to: paths.file(id), label: filename })),
    },
    { kind: 'prints', finds: usePrintFinds(sought === '' ? [] : (prints.data ?? [])) },
  ]
  return {
    groups: groups.filter(({ finds }) => finds.length > 0),
    isPending: sought !== '' && (q !== sought || files.isPending || prints.isPending),
    hasFailed: q !== '' && (files.isError || prints.isError),
  }
}

/** Printers, those that need somebody first; what lies below one is found by both names. */
function usePrinterFinds(sought: string): Find[] {
  const { t } = useTranslation('finder')
  const { data = [] } = useQuery(printersQuery)
  const here = data.filter(({ archived_at: gone }) => gone === null)
  const first = here.toSorted((a, b) => Number(hasOpenAlert(b)) - Number(hasOpenAlert(a)))
  const whole = matching(
    first.map(({ id, name }) => ({ to: paths.control(id), label: name })),
    sought,
    MOST,
  )
  if (whole.length > 0 || sought === '') return whole
  const parts = here.flatMap(({ id, name }) =>
    OF_PRINTER.map(([part, path]) => ({ to: path(id), label: name, note: t(`printer.${part}`) })),
  )
  return matching(parts, sought, MOST)
}

function usePageFinds(sought: string): Find[] {
  const { t } = useTranslation(['finder', 'common', 'accounts'])
  const { places, foot } = usePlaces()
  const known = [...places, ...foot].filter(({ to }) => !isElsewhere(to))
  const pages = known.map(({ to, text, icon }) => ({ to, icon, label: t(`common:${text}`) }))
  const acts = [
    ...ACTS.map(([name, to]) => ({ to, label: t(`pages.${name}`) })),
    ...SECTIONS.map(([name, to]) => ({ to, label: t(`accounts:preferences.sections.${name}`) })),
  ]
  return matching([...pages, ...(sought === '' ? [] : acts)], sought, sought === '' ? pages.length : MOST)
}

type Prints = { id: number; filename: string; started_at: string | null; printer: { name: string } | null }[]

function usePrintFinds(prints: Prints): Find[] {
  const { i18n } = useTranslation()
  return prints.map(({ id, filename, started_at, printer }) => {
    const at = ms(started_at)
    const when = at === null ? '' : moment(at, serverNow(), i18n.language)
    return { to: paths.print(id), label: filename, note: [printer?.name, when].filter(Boolean).join(' · ') }
  })
}

/** So many are told of each kind. */
export const MOST = 6
const KNOWN_MS = 10_000

const found = <T>(kind: string, q: string, read: () => Promise<T>) =>
  queryOptions({
    queryKey: ['finder', kind, q] as const,
    queryFn: read,
    enabled: q !== '',
    staleTime: KNOWN_MS,
    retry: false,
  })

/** Files of the cloud store with that in their name. */
export const filesNamed = (q: string) =>
  found('files', q, async () => (await call(listGCodeFiles, { query: { q, page_size: MOST } })).results)

/** Prints that are over or run, of a file with that in its name, the newest first. */
export const printsNamed = (q: string) =>
  found('prints', q, () => call(listPrints, { query: { q, limit: MOST } }))

/** Something that can be gone to. */
export interface Find {
  /** Its address, which is its name in the list, too. */
  readonly to: string
  readonly label: string
  /** What stands beside it, and is looked through as well. */
  readonly note?: string
  /** Of a page its own. */
  readonly icon?: TablerIcon
}

/** What has each of the words in its name or beside it, what begins with them first; all where nothing is looked for. */
export function matching<T extends Find>(finds: readonly T[], sought: string, most: number): T[] {
  const found = finds.filter(({ label, note = '' }) => hasWords(`${label} ${note}`, sought))
  const begins = ({ label }: Find) => beginsWith(label, sought)
  return [...found.filter(begins), ...found.filter((one) => !begins(one))].slice(0, most)
}
