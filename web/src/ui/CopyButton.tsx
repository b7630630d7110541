import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from '../lib/translation.ts'
import { copyText } from '../lib/copy.ts'

/** Copies and says so: 'Copied!' or 'Failed!'. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation('common')
  const [result, setResult] = useState<'idle' | 'copied' | 'failed'>('idle')

  useEffect(() => {
    if (result === 'idle') return undefined
    const timer = setTimeout(() => setResult('idle'), 2000)
    return () => clearTimeout(timer)
  }, [result])

  const words = { idle: label, copied: t('copied'), failed: t('copyFailed') }
  return (
    <Button
      leftSection={
        result === 'copied' ? <IconCheck size={16} stroke={1.75} /> : <IconCopy size={16} stroke={1.75} />
      }
      onClick={() => void copyText(text).then((done) => setResult(done ? 'copied' : 'failed'))}
    >
      <span aria-live="polite">{words[result]}</span>
    </Button>
  )
}
