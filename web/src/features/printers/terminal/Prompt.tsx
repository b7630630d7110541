import { Button, TextInput } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers.ts'
import { IconCornerDownLeft } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDriver } from '../driver/useDriver.ts'
import { noteSent, sentLines } from './store.ts'
import styles from './Terminal.module.css'

/** Where a command is typed; arrow up brings back what was sent. */
export function Prompt({ printer }: { printer: Printer }) {
  const { t } = useTranslation('terminal')
  const { driver, run } = useDriver(printer)
  const [text, setText] = useState('')
  /** How far back in what was sent; 0 is what is being typed. */
  const [back, setBack] = useState(0)
  const [draft, setDraft] = useState('')

  function send() {
    const line = driver.spell(text)
    if (!line) return
    noteSent(printer.id, line, !driver.feedEchoes)
    setText('')
    setBack(0)
    void run(driver.send(line))
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (!step || event.nativeEvent.isComposing) return
    event.preventDefault()
    const sent = sentLines(printer.id)
    const next = Math.min(sent.length, Math.max(0, back + step))
    if (next === back) return
    if (back === 0) setDraft(text)
    setBack(next)
    setText(next === 0 ? draft : (sent.at(-next) ?? ''))
  }

  return (
    <form
      className={styles.prompt}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <TextInput
        className={styles.input}
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
        onChange={(event) => {
          setText(event.currentTarget.value)
          setBack(0)
        }}
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
