import { Button } from '@mantine/core'
import type { StoredFile } from '@vigil/contract/files/gcode-files.ts'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../lib/translation.ts'
import { useMessages } from '../../lib/catalogue.ts'
import { paths } from '../../lib/paths.ts'
import { Dialog, DialogButtons } from '../../ui/Dialog.tsx'
import { agentCan, neededFor } from '../driver/versions.ts'
import { useLiveList } from '../live/account-line.ts'
import { ownPrintersQuery } from '../printers.api.ts'
import { notReady } from '../reprint/reprint.ts'
import { StatePill } from '../StatePill.tsx'
import { transitionNow } from '../transition-store.ts'
import { type Choice, choicesOf } from './choices.ts'
import { fitsQuery } from './cloudprint.api.ts'
import { useFitWords } from '../fit-words.ts'
import styles from './PrintDialog.module.css'
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
  const { t } = useTranslation('cloud-prints')
  const { data: all } = useQuery(ownPrintersQuery)
  const printers = all?.filter((one) => !one.archived_at && one.id === (printerId ?? one.id))
  useLiveList(printers)
  const { data: fits } = useQuery(fitsQuery(file.id))
  const whyNot = useWhyNot()
  const [chosen, setChosen] = useState<number | null>(null)
  const { print, busy } = useCloudPrint()
  const { ready, others } = choicesOf(printers ?? [], fits, whyNot)
  const picked = pickedOf(ready, others, chosen)
  const sendIt = async () => {
    if (picked && (await print(picked.printer, file.id))) onSent()
  }
  const row = (choice: Choice) =>
    choice.why === null ? (
      <Row
        key={choice.printer.id}
        choice={choice}
        checked={picked === choice}
        onChoose={() => setChosen(choice.printer.id)}
      />
    ) : (
      <div key={choice.printer.id} className={styles.off}>
        <bdi className={styles.name}>{choice.printer.name}</bdi>
        <span className={styles.why}>{choice.why}</span>
      </div>
    )
  return (
    <Dialog title={t('dialog.title')} onClose={onClose}>
      <p className={styles.filename}>
        <bdi>{file.filename}</bdi>
      </p>
      {printers?.length === 0 && <NoPrinter />}
      <fieldset className={styles.choices} aria-label={t('dialog.choose')}>
        {ready.map(row)}
        {others.length === 1 && ready.length === 0 ? (
          others.map(row)
        ) : (
          <Others choices={others} isOpen={ready.length === 0}>
            {others.map(row)}
          </Others>
        )}
      </fieldset>
      <DialogButtons>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button variant="filled" loading={busy} disabled={!picked} onClick={() => void sendIt()}>
          {picked ? t('dialog.printOn', { name: picked.printer.name }) : t('print')}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

/** Why a printer can't print a file now, in the catalogue's words; null when it can. */
function useWhyNot(): (printer: Printer) => string | null {
  const { t } = useTranslation('cloud-prints')
  const message = useMessages()
  return (printer) => {
    const reason = notReady(printer, transitionNow(printer))
    if (reason) return message(reason)
    return agentCan(printer, 'printFiles') ? null : t('tooOld', neededFor('printFiles'))
  }
}

interface OthersProps {
  choices: readonly Choice[]
  isOpen: boolean
  children: ReactNode
}

/** What is not free, or may not fit, folded while there is something better. */
function Others({ choices: { length: count }, isOpen, children }: OthersProps) {
  const { t } = useTranslation('cloud-prints')
  if (count === 0) return null
  return (
    <details className={styles.others} open={isOpen}>
      <summary>{t(isOpen ? 'dialog.notFree' : 'dialog.others', { count })}</summary>
      {children}
    </details>
  )
}

interface RowProps {
  choice: Choice
  checked: boolean
  onChoose: () => void
}

/** A printer and how it stands; one that may not fit says why in one line, and all of it once it is chosen. */
function Row({ choice: { printer, fit, isReady }, checked, onChoose }: RowProps) {
  const { t } = useTranslation('cloud-prints')
  const wordsOf = useFitWords()
  const reasons = fit?.verdict === 'warns' ? wordsOf(fit) : []
  return (
    <label className={styles.choice}>
      <input type="radio" name="printer" checked={checked} onChange={onChoose} />
      <bdi className={styles.name}>{printer.name}</bdi>
      {isReady && <StatePill printer={printer} transition={transitionNow(printer)} />}
      {isReady && fit?.verdict === 'unknown' && <p className={styles.why}>{t('fit.unknown')}</p>}
      {reasons.length > 0 && (
        <div className={styles.why}>
          {(checked ? reasons : reasons.slice(0, 1)).map((reason) => (
            <p key={reason} data-tone="warn">
              {reason}
            </p>
          ))}
        </div>
      )}
    </label>
  )
}

/** The one that was chosen; before that the first that could begin, or could be waited for. */
const pickedOf = (ready: readonly Choice[], others: readonly Choice[], chosen: number | null) =>
  [...ready, ...others].find(({ printer }) => printer.id === chosen) ??
  ready[0] ??
  others.find(({ why }) => why === null)

function NoPrinter() {
  const { t } = useTranslation('cloud-prints')
  return (
    <p>
      {t('dialog.none')} <Link to={paths.wizard}>{t('dialog.link')}</Link>
    </p>
  )
}
