import type { CloudPrint } from '@vigil/contract/files/cloud-prints.ts'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '../../lib/paths.ts'
import { printersQuery } from '../printers.api.ts'
import { readStatus } from '../status.ts'
import { handOversQuery, isToBeShown, lookAgain } from './cloudprint.api.ts'
import { HandOver } from './HandOver.tsx'

/** A file on its way to the printers that it was sent to, for the file's page. */
export function FileHandOvers({ fileId }: { fileId: number }) {
  const { data } = useQuery(handOversQuery({ g_code_file: fileId }))
  const { data: printers } = useQuery(printersQuery)
  const names = new Map(printers?.map(({ id, name }) => [id, name]))
  const newest = new Map<number, CloudPrint>()
  for (const one of data ?? []) if (!newest.has(one.printer)) newest.set(one.printer, one)
  return [...newest.values()].filter(isToBeShown).map((one) => (
    <HandOver
      key={one.id}
      one={one}
      where={
        <Link to={paths.control(one.printer)}>
          <bdi>{names.get(one.printer)}</bdi>
        </Link>
      }
    />
  ))
}

/** The file on its way to a printer, for the printer's page; wherever it was sent from. */
export function PrinterHandOver({ printer }: { printer: Printer }) {
  const { t } = useTranslation('cloud-prints')
  const client = useQueryClient()
  const { data } = useQuery(handOversQuery({ printer: printer.id }))
  const says = readStatus(printer)?.text
  const print = printer.current_print?.id
  useEffect(() => {
    void lookAgain(client)
  }, [client, says, print])
  const [one] = data ?? []
  if (!one || !isToBeShown(one)) return null
  // A print that has come to its first layer shows itself.
  if (one.state === 'printing') return null
  return (
    <HandOver
      one={one}
      where={one.g_code_file && <Link to={paths.file(one.g_code_file)}>{t('toFile')}</Link>}
    />
  )
}
