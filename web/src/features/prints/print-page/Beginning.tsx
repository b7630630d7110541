import { Button, Loader } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '../../../lib/paths.ts'
import { toast } from '../../../lib/toast.ts'
import { cameAbout } from '../../../printer/came-about.ts'
import { patienceMs } from '../../../printer/transition.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { DialogButtons } from '../../../ui/DialogButtons.tsx'
import { beginningOf } from './beginning.ts'
import { beginningQuery } from './print-page.api.ts'

const COUNTDOWN_S = 3

interface BeginningProps {
  printer: Printer
  onClose: () => void
}

/** The printer took the file: waits until it prints, then leads to it. */
export function Beginning({ printer, onClose }: BeginningProps) {
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
