import { Button } from '@mantine/core'
import type { StoredFile } from '@vigil/contract/gcode-files.ts'
import type { Fit } from '@vigil/contract/machines.ts'
import type { Printer } from '@vigil/contract/printers.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessages } from '../../lib/catalogue.ts'
import { paths } from '../../lib/paths.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogButtons } from '../../ui/DialogButtons.tsx'
import { agentCan, neededFor } from '../driver/versions.ts'
import { useLiveList } from '../live/accountLine.ts'
import { printersQuery } from '../printers.api.ts'
import { notReady } from '../reprint/reprint.ts'
import { StatePill } from '../StatePill.tsx'
import { transitionNow } from '../transitionStore.ts'
import { fitsQuery } from './cloudprint.api.ts'
import styles from './HandOver.module.css'
import { useCloudPrint } from './useCloudPrint.ts'

interface PrintDialogProps {
  file: Pick<StoredFile, 'id' | 'filename'>
  /** The only one that it is asked for; otherwise all of the account. */
  printerId?: number
  onClose: () => void
  /** It is on its way; the dialog closes. */
  onSent?: () => void
}

/** Asks on which printer a file is to be printed: each with how it stands, and what speaks against it. */
export function PrintDialog({ file, printerId, onClose, onSent = onClose }: PrintDialogProps) {
  const { t } = useTranslation('cloudprints')
  const { data: all } = useQuery(printersQuery)
  const printers = all?.filter(
    ({ id, archived_at }) => !archived_at && (printerId === undefined || id === printerId),
  )
  useLiveList(printers)
  const { data: fits } = useQuery(fitsQuery(file.id))
  const whyNot = useWhyNot()
  const [chosen, setChosen] = useState<number | null>(null)
  const { print, busy } = useCloudPrint()
  const fitOf = (id: number) => fits?.find(({ printer }) => printer.id === id)?.fit
  const can = (one: Printer) => whyNot(one) === null
  // The first that can print it, one that it fits before others.
  const first = printers?.find((one) => can(one) && fitOf(one.id)?.verdict !== 'warns') ?? printers?.find(can)
  const picked = printers?.find(({ id }) => id === chosen) ?? first
  const sendIt = async () => {
    if (picked && (await print(picked, file.id))) onSent()
  }
  return (
    <Dialog title={t('dialog.title')} onClose={onClose}>
      <p className={styles.filename}>
        <bdi>{file.filename}</bdi>
      </p>
      {printers?.length === 0 && (
        <p>
          {t('dialog.none')} <Link to={paths.wizard}>{t('dialog.link')}</Link>
        </p>
      )}
      <fieldset className={styles.choices} aria-label={t('dialog.choose')}>
        {printers?.map((one) => (
          <Choice
            key={one.id}
            printer={one}
            fit={fitOf(one.id)}
            why={whyNot(one)}
            checked={picked?.id === one.id}
            onChoose={() => setChosen(one.id)}
          />
        ))}
      </fieldset>
      <DialogButtons>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button
          variant="filled"
          loading={busy}
          disabled={!picked || !can(picked)}
          onClick={() => void sendIt()}
        >
          {picked ? t('dialog.printOn', { name: picked.name }) : t('print')}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

/** Why a printer can't print a file now, in the catalogue's words; null when it can. */
function useWhyNot(): (printer: Printer) => string | null {
  const { t } = useTranslation('cloudprints')
  const message = useMessages()
  return (printer) => {
    const reason = notReady(printer, transitionNow(printer))
    if (reason) return message(reason)
    return agentCan(printer, 'printFiles') ? null : t('tooOld', neededFor('printFiles'))
  }
}

interface ChoiceProps {
  printer: Printer
  fit: Fit | undefined
  why: string | null
  checked: boolean
  onChoose: () => void
}

function Choice({ printer, fit, why, checked, onChoose }: ChoiceProps) {
  const { t } = useTranslation('cloudprints')
  const warnings = fit?.reasons.filter(({ verdict }) => verdict === 'warns') ?? []
  return (
    <label className={styles.choice}>
      <input type="radio" name="printer" checked={checked} disabled={why !== null} onChange={onChoose} />
      <bdi className={styles.name}>{printer.name}</bdi>
      <StatePill printer={printer} transition={transitionNow(printer)} />
      {why !== null && <p className={styles.why}>{why}</p>}
      {warnings.length > 0 && (
        <div className={styles.why}>
          <p className={styles.warns}>{t('fit.warns')}</p>
          <ul>
            {warnings.map(({ about, file, printer: its }) => (
              <li key={about}>{t(`fit.${about}`, { file, printer: its ?? '–' })}</li>
            ))}
          </ul>
        </div>
      )}
    </label>
  )
}
