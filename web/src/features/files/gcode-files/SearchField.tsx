import { ActionIcon, Loader, TextInput } from '@mantine/core'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useQueryValues } from '../../../lib/address.ts'
import styles from './Files.module.css'
import { PENDING_MS } from './items.ts'

/** Looks for files in all folders; what is looked for stands in the address, so that it is there when one comes back. */
export function SearchField() {
  const { t } = useTranslation('gcode-files')
  const { q = '' } = useQueryValues()
  const navigate = useNavigate()
  const [text, setText] = useState(q)
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(pending.current), [])
  const ask = (wanted: string) => {
    clearTimeout(pending.current)
    const search = wanted.trim() === '' ? {} : { q: wanted.trim() }
    void navigate({ to: '.', search, replace: true })
  }
  const change = (typed: string) => {
    setText(typed)
    clearTimeout(pending.current)
    pending.current = setTimeout(() => ask(typed), PENDING_MS)
  }
  const clear = () => {
    setText('')
    ask('')
  }
  return (
    <form
      role="search"
      className={styles.search}
      onSubmit={(event) => {
        event.preventDefault()
        ask(text)
      }}
    >
      <TextInput
        type="search"
        aria-label={t('search.label')}
        placeholder={t('search.label')}
        maxLength={200}
        value={text}
        leftSection={<IconSearch size={17} stroke={1.75} aria-hidden />}
        rightSection={
          text.trim() === q ? (
            text !== '' && (
              <ActionIcon variant="subtle" color="gray" aria-label={t('search.clear')} onClick={clear}>
                <IconX size={16} stroke={1.75} />
              </ActionIcon>
            )
          ) : (
            <Loader size={16} role="img" aria-label={t('search.pending')} />
          )
        }
        onChange={(event) => change(event.currentTarget.value)}
      />
    </form>
  )
}
