import { Box, Button, Select } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../../../lib/translation.ts'
import { toast } from '../../../../lib/toast.ts'
import { Dialog, DialogButtons } from '../../../../ui/Dialog.tsx'
import type { ConnectionOptions } from '../../../../printer/driver/driver.ts'
import { useDriver } from '../../../../printer/driver/useDriver.ts'
import shared from '../../../../ui/shared.module.css'

/** The button stays with what it does for so long at most (docs/rules/pages.md 2). */
const LOCK_MS = 10_000
const AUTO = 'AUTO'

/** Opens the serial port between an agent and its printer, where the agent can. */
export function ConnectButton({ printer }: { printer: Printer }) {
  const { t } = useTranslation('widgets')
  const { driver, run } = useDriver(printer)
  const [locked, setLocked] = useState(false)
  const [options, setOptions] = useState<ConnectionOptions | null>(null)
  const { connection } = driver

  useEffect(() => {
    if (!locked) return undefined
    const timer = setTimeout(() => setLocked(false), LOCK_MS)
    return () => clearTimeout(timer)
  }, [locked])

  if (!connection) return null

  async function ask() {
    if (!connection) return
    setLocked(true)
    const outcome = await run(connection.options())
    setLocked(false)
    if (!outcome.done) return
    const found = connection.read(outcome.ret)
    if (found.ports.length === 0) toast(t('connect.none'), 'failed', null, 'no-port')
    else setOptions(found)
  }

  async function connect(port: string | null, baudrate: number | null) {
    if (!connection) return
    setOptions(null)
    setLocked(true)
    const outcome = await run(connection.connect(port, baudrate))
    if (outcome.done) toast(t('connect.waiting'), 'done', null, 'connecting')
    else setLocked(false)
  }

  return (
    <>
      <Button variant="filled" mt={14} loading={locked} onClick={() => void ask()}>
        {t('connect.button')}
      </Button>
      <Box component="span" role="status" ml={12} fz={13} c="dimmed">
        {locked ? t('connect.contacting') : ''}
      </Box>
      {options && (
        <ConnectDialog
          options={options}
          onClose={() => setOptions(null)}
          onConnect={(port, baudrate) => void connect(port, baudrate)}
        />
      )}
    </>
  )
}

interface ConnectDialogProps {
  options: ConnectionOptions
  onClose: () => void
  onConnect: (port: string | null, baudrate: number | null) => void
}

function ConnectDialog({ options, onClose, onConnect }: ConnectDialogProps) {
  const { t } = useTranslation(['widgets', 'common'])
  const [port, setPort] = useState(options.port ?? AUTO)
  const [baudrate, setBaudrate] = useState(String(options.baudrate ?? AUTO))
  const auto = { value: AUTO, label: t('connect.auto') }
  return (
    <Dialog onClose={onClose} title={t('connect.title')}>
      <form
        className={shared.fields}
        onSubmit={(event) => {
          event.preventDefault()
          onConnect(port === AUTO ? null : port, baudrate === AUTO ? null : Number(baudrate))
        }}
      >
        <Select
          label={t('connect.port')}
          data={[auto, ...options.ports.filter((each) => each !== AUTO)]}
          value={port}
          onChange={(next) => setPort(next ?? AUTO)}
        />
        <Select
          label={t('connect.baudrate')}
          data={[auto, ...options.baudrates.map(String)]}
          value={baudrate}
          onChange={(next) => setBaudrate(next ?? AUTO)}
        />
        <DialogButtons>
          <Button type="submit" variant="filled">
            {t('connect.action')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
