import { Button, Loader } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { useState, useEffect, useRef } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useMessages } from '../../../lib/catalogue.ts'
import { paths } from '../../../lib/paths.ts'
import { toast } from '../../../lib/toast.ts'
import { cameAbout } from '../../../printer/came-about.ts'
import { neededFor } from '../../../printer/driver/versions.ts'
import { useLive } from '../../../printer/live/printer-line.ts'
import { notReady, reprintable } from '../../../printer/reprint/reprint.ts'
import { useReprint } from '../../../printer/reprint/useReprint.tsx'
import { patienceMs } from '../../../printer/transition.ts'
import { useTransition } from '../../../printer/useTransition.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { beginningOf } from './beginning.ts'
import { beginningQuery } from './print-page.api.ts'
import styles from './PrintPage.module.css'

const COUNTDOWN_S = 3

interface BeginningProps {
  printer: Printer
  onClose: () => void
}

/** The printer took the file: waits until it prints, then leads to it. */
function Beginning({ printer, onClose }: BeginningProps) {
  const { t } = useTranslation('print-page')
  const navigate = useNavigate()
  const { data } = useQuery(beginningQuery(printer.id))
  const [begun, setBegun] = useState(false)
  const patience = patienceMs(printer.agent_name, printer.agent_version)
  const [until] = useState(() => Date.now() + patience)
  const isLate = useLate(patience)
  const now = begun ? 'begun' : data === undefined ? 'waiting' : beginningOf(data, isLate)
  const go = () => void navigate({ to: paths.control(printer.id) })

  // It may have begun and be over while nobody looked.
  const latest = useRef(async () => {
    if (await cameAbout(printer, { name: 'Starting', until })) return setBegun(true)
    toast(t('reprint.failed', { name: printer.name }), 'failed')
    onClose()
  })
  useEffect(() => {
    if (now === 'begun') setBegun(true)
    if (now === 'failed') void latest.current()
  }, [now])

  return (
    <Dialog title={t('reprint.title')} onClose={onClose}>
      <div role="status">
        {now === 'begun' ? <Countdown onEnd={go} /> : <p>{t('reprint.waiting', { name: printer.name })}</p>}
      </div>
      {now !== 'begun' && <Loader size="sm" mt={14} />}
      <DialogButtons>
        <Button onClick={onClose}>{t('reprint.stay')}</Button>
        {now === 'begun' && (
          <Button variant="filled" onClick={go}>
            {t('reprint.redirect')}
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  )
}

/** True once so many ms have passed. */
function useLate(ms: number): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isLate
}

function Countdown({ onEnd }: { onEnd: () => void }) {
  const { t } = useTranslation('print-page')
  const [left, setLeft] = useState(COUNTDOWN_S)
  const end = useRef(onEnd)
  useEffect(() => {
    if (left === 0) {
      end.current()
      return undefined
    }
    const timer = setTimeout(() => setLeft(left - 1), 1_000)
    return () => clearTimeout(timer)
  }, [left])
  return <p>{t('reprint.begun', { count: left })}</p>
}

interface PrintAgainProps {
  print: Print
  printer: Printer
}

/** Prints the file again, where it lies on its printer; what stands against it is said where the button is. */
export function PrintAgain({ print, printer }: PrintAgainProps) {
  const file = reprintable(printer, print)
  if (file === null || printer.archived_at) return null
  return <AgainButton print={print} printer={printer} file={file} />
}

function AgainButton({
  print,
  printer,
  file,
}: PrintAgainProps & { file: Exclude<ReturnType<typeof reprintable>, null> }) {
  const { t } = useTranslation('print-page')
  // It is sent over the printer's line.
  useLive(printer.id)
  const transition = useTransition(printer)
  const { reprint, busy } = useReprint(printer, transition)
  const [begins, setBegins] = useState(false)
  const why = useWhyNot(printer, transition, file)
  return (
    <>
      <Button
        variant="filled"
        leftSection={<IconRepeat size={17} stroke={1.75} />}
        loading={busy}
        disabled={why !== null}
        title={why ?? undefined}
        onClick={() => {
          if (file !== 'tooOld') void reprint(print, file).then((took) => took && setBegins(true))
        }}
      >
        {t('reprint.button')}
      </Button>
      {begins && <Beginning printer={printer} onClose={() => setBegins(false)} />}
    </>
  )
}

/** Why it can't be printed right now, in the catalogue's words; null when it can. */
function useWhyNot(
  printer: Printer,
  transition: string | null,
  file: ReturnType<typeof reprintable>,
): string | null {
  const { t } = useTranslation('printers')
  const message = useMessages()
  if (file === 'tooOld') return t('reprint.tooOld', neededFor('reprint'))
  const reason = notReady(printer, transition)
  return reason && message(reason)
}

/** The same in words, for whom a button that is off says nothing. */
export function WhyNotAgain({ print, printer }: PrintAgainProps) {
  const { t } = useTranslation('print-page')
  const file = reprintable(printer, print)
  const why = useWhyNot(printer, null, file)
  if (file === null || why === null || printer.archived_at) return null
  return <p className={styles.quiet}>{file === 'tooOld' ? why : t('reprint.notNow', { why })}</p>
}
