import { Box, Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { useDriver } from '../../../printer/driver/useDriver.ts'
import { agentCan, neededFor } from '../../../printer/driver/versions.ts'
import { useLive } from '../../../printer/live/printer-line.ts'
import { isOffline } from '../../../printer/state.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { type Ext, extQuery, saveExt } from './first-layer.api.ts'
import styles from './Nozzle.module.css'

interface CameraSettingsProps {
  printer: Printer
  ext: Ext
  /** Told what to say once an address is kept. */
  onSaved: (words: string) => void
}

const isAddress = (url: string) => /^https?:\/\/[^/\s]/i.test(url) && URL.canParse(url)

/** Where the nozzle camera gives its picture: typed, taken from what the printer knows, tried, kept. */
export function CameraSettings({ printer, ext, onSaved }: CameraSettingsProps) {
  const { t } = useTranslation('first-layer')
  const problemText = useProblemText()
  const client = useQueryClient()
  const line = useLive(printer.id)
  const [typed, setTyped] = useState('')
  const [refused, setRefused] = useState<string | null>(null)
  const url = typed.trim()
  const saving = useMutation({
    mutationFn: (nozzlecam_url: string) => saveExt(printer.id, { nozzlecam_url }),
    onSuccess: (kept) => {
      client.setQueryData(extQuery(printer.id).queryKey, kept)
      setTyped('')
      onSaved(t(kept.nozzlecam_url === null ? 'removed' : 'saved'))
    },
  })
  const problem = saving.error ? problemOf(saving.error) : null

  function save() {
    if (isAddress(url)) saving.mutate(url)
    else setRefused(t('badUrl'))
  }

  return (
    <Panel title={t('camera')}>
      <p className={styles.now}>
        {ext.nozzlecam_url === null ? t('urlNone') : t('urlNow', { url: ext.nozzlecam_url })}
      </p>
      <TextInput
        label={t('url')}
        description={t('urlHint')}
        value={typed}
        maxLength={2000}
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        error={refused ?? (problem?.kind === 'fields' ? problem.fields['nozzlecam_url'] : null)}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setRefused(null)
          saving.reset()
        }}
      />
      <KnownCameras printer={printer} isOpen={line === 'open'} onChoose={setTyped} />
      {problem && problem.kind !== 'fields' && (
        <Box component="p" role="alert" mt={8} fz={13} c="var(--v-bad)">
          {t('notSaved')}. {problemText(problem)}
        </Box>
      )}
      <div className={styles.buttons}>
        <CameraTest
          printer={printer}
          address={url || (ext.nozzlecam_url ?? '')}
          isOpen={line === 'open'}
          onRefused={setRefused}
          onConfirmed={(address) => saving.mutate(address)}
        />
        <Button variant="filled" disabled={url === ''} loading={saving.isPending} onClick={save}>
          {t('save')}
        </Button>
        {ext.nozzlecam_url !== null && (
          <Button variant="subtle" color="bad" disabled={saving.isPending} onClick={() => saving.mutate('')}>
            {t('remove')}
          </Button>
        )}
      </div>
    </Panel>
  )
}

interface KnownCamerasProps {
  printer: Printer
  /** Whether the printer can be asked. */
  isOpen: boolean
  onChoose: (address: string) => void
}

/** The cameras that the printer itself tells of. */
function KnownCameras({ printer, isOpen, onChoose }: KnownCamerasProps) {
  const { t } = useTranslation('first-layer')
  const { driver, run } = useDriver(printer)
  const { still } = driver
  const { data: cameras = [] } = useQuery({
    queryKey: ['webcams', printer.id] as const,
    queryFn: async () => {
      if (still === null) return []
      const told = await run(still.cameras(), { quiet: true })
      return told.done ? still.addresses(told.ret) : []
    },
    enabled: still !== null && isOpen && !isOffline(printer),
    staleTime: 60_000,
    retry: false,
  })
  if (cameras.length === 0) return null
  return (
    <Box mt={14}>
      <Box fz={13} fw={550}>
        {t('known')}
      </Box>
      <Box component="p" mt={8} fz={13} c="dimmed">
        {t('knownHint')}
      </Box>
      <div className={styles.buttons}>
        {cameras.map(({ name, address }) => (
          <Button key={name} size="xs" title={address} onClick={() => onChoose(address)}>
            {name}
          </Button>
        ))}
      </div>
    </Box>
  )
}

interface CameraTestProps {
  printer: Printer
  /** Typed, or in use; '' is none. */
  address: string
  /** Whether the printer can be asked. */
  isOpen: boolean
  /** Says why it could not be tested, beside the address. */
  onRefused: (words: string) => void
  /** The owner has seen the nozzle camera's picture. */
  onConfirmed: (address: string) => void
}

/** Has the printer fetch a picture from the address, and asks whether it is the nozzle camera's. */
function CameraTest({ printer, address, isOpen, onRefused, onConfirmed }: CameraTestProps) {
  const { t } = useTranslation('first-layer')
  const { driver, run } = useDriver(printer)
  const [isAsking, setAsking] = useState(false)
  const [shot, setShot] = useState<{ src: string; of: string } | null>(null)

  async function test() {
    if (isOffline(printer)) return onRefused(t('offline'))
    if (!agentCan(printer, 'nozzleTest'))
      return onRefused(`${t('tooOld')} ${t('versions', neededFor('nozzleTest'))}`)
    if (!/^https?:\/\/[^/\s]/i.test(address) || !URL.canParse(address)) return onRefused(t('badUrl'))
    setAsking(true)
    const said = await run(driver.snapshot.shoot(address), { quiet: true })
    setAsking(false)
    const src = said.done ? driver.snapshot.picture(said.ret) : null
    if (src !== null) return setShot({ src, of: address })
    const why = said.done ? '' : ` ${said.words}`
    return onRefused(`${t('unable')} ${t('unableHint')}${why}`)
  }

  return (
    <>
      <Button
        disabled={address === '' || (!isOpen && !isOffline(printer))}
        loading={isAsking}
        onClick={() => void test()}
      >
        {t('test')}
      </Button>
      {shot && (
        <Dialog title={t('testTitle')} size={560} onClose={() => setShot(null)}>
          <p>{t('testText')}</p>
          <img src={shot.src} alt={t('testAlt')} className={styles.shot} />
          <DialogButtons>
            <Button onClick={() => setShot(null)}>{t('testNo')}</Button>
            <Button
              variant="filled"
              onClick={() => {
                setShot(null)
                onConfirmed(shot.of)
              }}
            >
              {t('testYes')}
            </Button>
          </DialogButtons>
        </Dialog>
      )}
    </>
  )
}
