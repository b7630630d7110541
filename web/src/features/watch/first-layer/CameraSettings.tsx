import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { useDriver } from '../../../printer/driver/useDriver.ts'
import { useLive } from '../../../printer/live/printer-line.ts'
import { isOffline } from '../../../printer/state.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { CameraTest } from './CameraTest.tsx'
import styles from './Nozzle.module.css'
import { type Ext, extQuery, saveExt } from './first-layer.api.ts'

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
        <p role="alert" className={styles.problem}>
          {t('notSaved')}. {problemText(problem)}
        </p>
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
    <div className={styles.known}>
      <div className={styles.knownTitle}>{t('known')}</div>
      <p className={styles.soft}>{t('knownHint')}</p>
      <div className={styles.buttons}>
        {cameras.map(({ name, address }) => (
          <Button key={name} size="xs" title={address} onClick={() => onChoose(address)}>
            {name}
          </Button>
        ))}
      </div>
    </div>
  )
}
