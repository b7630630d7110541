import { Box, Button, Skeleton } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import type { Problem } from '../../../lib/errors.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { useErrorDialog } from '../../../ui/useErrorDialog.tsx'
import list from '../../../ui/List.module.css'
import styles from './History.module.css'
import type { View } from './HistoryHead.tsx'

interface ListEndProps {
  isWhole: boolean
  problem: Problem | null
  onRetry: () => void
}

/** Below the last line: there are more, there are no more, or they could not be read. */
export function ListEnd({ isWhole, problem, onRetry }: ListEndProps) {
  const { t } = useTranslation('history')
  const { t: common } = useTranslation('common')
  const text = useProblemText()
  const say = useRef(useErrorDialog())
  const isBroken = problem !== null
  useEffect(() => {
    if (isBroken) say.current(t('failed'))
  }, [isBroken, t])
  return (
    <div className={list.end}>
      {problem ? (
        <>
          <p role="alert">{text(problem)}</p>
          <Button onClick={onRetry}>{common('tryAgain')}</Button>
        </>
      ) : isWhole ? (
        <p>{t('end')}</p>
      ) : (
        <p role="status">{common('loading')}</p>
      )}
    </div>
  )
}

/** Lines of the size of lines, so that nothing jumps. */
export function Loading({ view }: { view: View }) {
  const { t } = useTranslation('common')
  return (
    <Box
      role="status"
      aria-busy="true"
      aria-label={t('loading')}
      data-view={view}
      className={list.loading}
      mt={50}
    >
      {Array.from({ length: 6 }, (_, at) => (
        <div key={at} className={list.ghost}>
          <span className={styles.poster} />
          <Skeleton height={14} width="40%" />
          <Skeleton height={14} width="20%" />
        </div>
      ))}
    </Box>
  )
}
