import { Button } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDriver } from '../../../printer/driver/useDriver.ts'
import { agentCan, neededFor } from '../../../printer/driver/versions.ts'
import { isOffline } from '../../../printer/state.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { DialogButtons } from '../../../ui/DialogButtons.tsx'
import styles from './Nozzle.module.css'

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
export function CameraTest({ printer, address, isOpen, onRefused, onConfirmed }: CameraTestProps) {
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
