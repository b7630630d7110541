import { Button, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { FitNote } from './FitNote.tsx'
import { fitsQuery } from './machines.api.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Machines.module.css'

/** Those that warn last: who looks for a printer finds one. */
const ORDER = { fits: 0, unknown: 1, warns: 2 } as const

/** Which of the account's printers can print a file, as a panel of its page. */
export function FitsPanel({ fileId }: { fileId: number }) {
  const { t } = useTranslation('machines')
  const { t: common } = useTranslation('common')
  const problemText = useProblemText()
  const { data, error, refetch } = useQuery(fitsQuery(fileId))
  const sorted = data?.toSorted((a, b) => ORDER[a.fit.verdict] - ORDER[b.fit.verdict])
  return (
    <Panel title={t('title')}>
      {sorted === undefined && !error && <Skeleton height={64} />}
      {sorted === undefined && error && (
        <Stack gap={10} align="flex-start" fz={13} c="dimmed">
          <p>{problemText(problemOf(error))}</p>
          <Button variant="default" onClick={() => void refetch()}>
            {common('tryAgain')}
          </Button>
        </Stack>
      )}
      {sorted?.length === 0 && <p className={shared.small}>{t('none')}</p>}
      <ul className={styles.printers}>
        {sorted?.map(({ printer, fit }) => (
          <li key={printer.id}>
            <Link to={paths.control(printer.id)} className={styles.name}>
              {printer.name}
            </Link>
            <FitNote fit={fit} />
            {fit.reasons.some(({ verdict, file }) => verdict === 'unknown' && file !== null) && (
              <Link to={paths.printerSettings(printer.id)} className={styles.say}>
                {t('say')}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
