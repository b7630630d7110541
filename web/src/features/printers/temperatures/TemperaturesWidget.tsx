import { Box, Button, Stack, VisuallyHidden } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Printer, getTemperatures } from '@vigil/contract/printers/printers.ts'
import { useState, useEffect, useRef } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { call } from '../../../lib/call.ts'
import { serverNow } from '../../../lib/clock.ts'
import { degrees } from '../../../lib/format.ts'
import { useDriver } from '../../../printer/driver/useDriver.ts'
import { mayControl } from '../../../printer/rights.ts'
import { type Heater, readStatus } from '../../../printer/status.ts'
import { useWords } from '../../../printer/words.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { HeaterDialog } from './HeaterDialog.tsx'
import { canSet, readProfiles, applyProfile, type Profile } from './heaters.ts'
import { addReport, type History, mergeHistory, readHistory } from './history.ts'
import { Plot } from './Plot.tsx'
import shared from '../../../ui/shared.module.css'
import styles from './Temperatures.module.css'

const keyOf = (id: number) => ['temperatures', id] as const

/** The last 30 minutes as the server kept them, going on with every status that comes. */
function useHistory(printer: Printer): { history: History; state: 'loading' | 'failed' | 'ready' } {
  const client = useQueryClient()
  const { id, status } = printer
  const { data, isPending, isError } = useQuery({
    queryKey: keyOf(id),
    queryFn: async () => {
      const { heaters } = await call(getTemperatures, { params: { id } })
      return mergeHistory(readHistory(heaters), client.getQueryData<History>(keyOf(id)) ?? {}, serverNow())
    },
    structuralSharing: false,
    staleTime: 0,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  })

  // The status that was there first is in the server's answer already, at its own time.
  const noted = useRef(status?._ts)
  useEffect(() => {
    if (!status || noted.current === status._ts) return
    noted.current = status._ts
    const now = serverNow()
    const heaters = readStatus(printer)?.heaters ?? []
    client.setQueryData<History>(keyOf(id), (held) => addReport(held ?? {}, now, heaters, now))
  }, [client, id, printer, status])

  return { history: data ?? {}, state: data ? 'ready' : isError ? 'failed' : isPending ? 'loading' : 'ready' }
}

/** Actual and target of every heater that is there, how they got there, and a way to set them. */
export function TemperaturesWidget({ printer }: { printer: Printer }) {
  const { t } = useTranslation('temperatures')
  const { history, state } = useHistory(printer)
  const { driver, run } = useDriver(printer)
  const [edited, setEdited] = useState<string | null>(null)
  const [presetsOpen, setPresetsOpen] = useState(false)
  const heaters = readStatus(printer)?.heaters ?? []
  // Who may only look sets nothing.
  const profiles = mayControl(printer) ? readProfiles(printer.settings) : null
  const plotted = heaters.filter(({ target }) => target !== null)
  const heater = heaters.find(({ key }) => key === edited)

  /** Null, or why it was not done: said in the dialog that asked. */
  const set = async (key: string, target: number): Promise<string | null> => {
    const outcome = await run(driver.setTemperature(key, target), { tell: true, quiet: true })
    return outcome.done ? null : outcome.words
  }

  return (
    <Panel
      live
      title={t('title')}
      aside={
        profiles && plotted.length > 0 ? (
          <Button
            size="compact-sm"
            variant="subtle"
            className={styles.aside}
            onClick={() => setPresetsOpen(true)}
          >
            {t('presets')}
          </Button>
        ) : undefined
      }
    >
      {heaters.length === 0 ? (
        <p className={shared.soft}>{t('none')}</p>
      ) : (
        <ul className={styles.heaters}>
          {heaters.map((each) => (
            <HeaterRow
              key={each.key}
              heater={each}
              line={plotted.indexOf(each)}
              onEdit={canSet(each, profiles) ? () => setEdited(each.key) : null}
            />
          ))}
        </ul>
      )}
      {plotted.length > 0 && <Plot history={history} heaters={plotted} state={state} />}
      {heater && (
        <HeaterDialog
          key={heater.key}
          heater={heater}
          profiles={profiles ?? []}
          onSet={(target) => set(heater.key, target)}
          onClose={() => setEdited(null)}
        />
      )}
      {presetsOpen && (
        <ProfilesDialog
          heaters={heaters}
          profiles={profiles ?? []}
          printing={readStatus(printer)?.printing === true}
          onSet={async (wanted) => {
            const said = await Promise.all(wanted.map(({ key, target }) => set(key, target)))
            return said.find((words) => words !== null) ?? null
          }}
          onClose={() => setPresetsOpen(false)}
        />
      )}
    </Panel>
  )
}

interface HeaterRowProps {
  heater: Heater
  /** Its line in the plot; -1 where it has none. */
  line: number
  onEdit: (() => void) | null
}

function HeaterRow({ heater, line, onEdit }: HeaterRowProps) {
  const { t } = useTranslation('temperatures')
  const words = useWords()
  const name = words.heater(heater)
  const target =
    heater.target === null
      ? t('sensor')
      : heater.target > 0
        ? t('targetOf', { degrees: degrees(heater.target, 0) })
        : t('offWord')
  const content = (
    <>
      <span className={styles.name}>
        <i className={styles.swatch} data-line={line < 0 ? undefined : line % 4} aria-hidden />
        <bdi>{name}</bdi>
      </span>
      <Box component="strong" fz={17} fw={650}>
        {degrees(heater.actual)}
      </Box>
      <span className={styles.wanted}>{target}</span>
    </>
  )
  return (
    <li>
      {onEdit ? (
        <button type="button" className={styles.heater} onClick={onEdit}>
          {content}
          <VisuallyHidden>{t('edit')}</VisuallyHidden>
          <IconChevronRight size={16} stroke={1.75} aria-hidden className={shared.faint} />
        </button>
      ) : (
        <div className={styles.heater}>{content}</div>
      )}
    </li>
  )
}

interface ProfilesDialogProps {
  heaters: Heater[]
  profiles: Profile[]
  printing: boolean
  /** Null, or why it was not done. */
  onSet: (wanted: { key: string; target: number }[]) => Promise<string | null>
  onClose: () => void
}

/** What a preset sets. */
function useSummary(heaters: Heater[]) {
  const words = useWords()
  return (profile: Profile) => {
    const parts = applyProfile(profile, heaters).map(({ key, target }) => {
      const heater = heaters.find((each) => each.key === key)
      return `${heater ? words.heater(heater) : key} ${degrees(target, 0)}`
    })
    return parts.join(' · ')
  }
}

/** One preset for all heaters at once. */
function ProfilesDialog({ heaters, profiles, printing, onSet, onClose }: ProfilesDialogProps) {
  const { t } = useTranslation(['temperatures', 'common'])
  const summary = useSummary(heaters)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)

  async function apply(profile: Profile | 'off') {
    setBusy(true)
    const words = await onSet(applyProfile(profile, heaters))
    setBusy(false)
    setRefused(words)
    if (words === null) onClose()
  }

  return (
    <Dialog onClose={onClose} title={t('profiles.title')}>
      <p className={shared.soft}>{profiles.length > 0 ? t('profiles.hint') : t('profiles.none')}</p>
      {printing && (
        <Box component="p" mt={6} fz={13} c="var(--v-warn)">
          {t('profiles.printing')}
        </Box>
      )}
      {refused && (
        <Box component="p" role="alert" mt={12} c="var(--v-bad)">
          {refused}
        </Box>
      )}
      <Stack gap={8} mt={14}>
        {profiles.map((profile, at) => {
          const sets = summary(profile)
          return (
            <ProfileButton
              key={`${at} ${profile.name}`}
              name={profile.name}
              sets={sets || t('profiles.nothing')}
              disabled={busy || !sets}
              onClick={() => void apply(profile)}
            />
          )
        })}
        <ProfileButton
          name={t('profiles.off')}
          sets={t('profiles.allOff')}
          disabled={busy}
          onClick={() => void apply('off')}
        />
      </Stack>
    </Dialog>
  )
}

interface ProfileButtonProps {
  readonly name: string
  readonly sets: string
  readonly disabled: boolean
  readonly onClick: () => void
}

function ProfileButton({ name, sets, ...button }: ProfileButtonProps) {
  return (
    <button type="button" className={styles.profile} {...button}>
      <bdi>{name}</bdi>
      <small>{sets}</small>
    </button>
  )
}
