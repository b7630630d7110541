import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Problem } from '../../../lib/errors.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { useErrorDialog } from '../../../ui/useErrorDialog.tsx'
import list from '../../../ui/List.module.css'

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
