import { Button, TextInput } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { IconCornerDownLeft } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useDriver } from '../../../printer/driver/useDriver.ts'
import { noteHeard, noteSent, sentLines } from './store.ts'
import styles from './Terminal.module.css'

interface PromptProps {
  printer: Printer
  /** The feed shows what is sent, and what comes of it. */
  feedEchoes: boolean
}

/** Where a command is typed; arrow up brings back what was sent. */
export function Prompt({ printer, feedEchoes }: PromptProps) {
  const { t } = useTranslation('terminal')
  const { driver, run } = useDriver(printer)
  const { text, type, onKeyDown } = useHistory(printer.id)

  async function send() {
    const line = driver.spell(text)
    if (!line) return
    noteSent(printer.id, line, !feedEchoes)
    type('')
    const outcome = await run(driver.send(line))
    if (feedEchoes) return
    const answer = outcome.done ? outcome.ret : outcome.words
    if (typeof answer === 'string') noteHeard(printer.id, answer)
  }

  return (
    <form
      className={styles.prompt}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <TextInput
        flex={1}
        miw={0}
        classNames={{ input: styles.typed }}
        aria-label={t('input')}
        title={t('history')}
        placeholder={t('placeholder')}
        value={text}
        maxLength={1000}
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Button
        type="submit"
        disabled={!text.trim()}
        leftSection={<IconCornerDownLeft size={16} stroke={1.75} />}
      >
        {t('send')}
      </Button>
    </form>
  )
}

/** What is typed, and with the arrows what was sent before. */
function useHistory(printerId: number) {
  const [text, setText] = useState('')
  /** How far back in what was sent; 0 is what is being typed. */
  const [back, setBack] = useState(0)
  const [draft, setDraft] = useState('')

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (!step || event.nativeEvent.isComposing) return
    event.preventDefault()
    const sent = sentLines(printerId)
    const next = Math.min(sent.length, Math.max(0, back + step))
    if (next === back) return
    if (back === 0) setDraft(text)
    setBack(next)
    setText(next === 0 ? draft : (sent.at(-next) ?? ''))
  }

  function type(words: string) {
    setText(words)
    setBack(0)
  }

  return { text, type, onKeyDown }
}
