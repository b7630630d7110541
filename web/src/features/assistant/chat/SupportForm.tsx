import { Anchor, Button, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogButtons } from '../../../ui/Dialog.tsx'
import styles from './Chat.module.css'
import { askSupport } from './press.ts'
import { useChat } from './useChat.ts'

/** In the place of the input: a letter to who supports this, or the way to the community. */
export function SupportForm() {
  const { t } = useTranslation('assistant')
  const [chat, { me }] = useChat()
  const dismiss = () => {
    chat.set({ isAskingSupport: false })
    chat.add({ kind: 'own', word: 'supportDismissed' })
  }
  return (
    <section className={styles.support} aria-label={t('supportForm.title')}>
      <h2>{t('supportForm.title')}</h2>
      {me?.support.by === 'community' ? <Community onDismiss={dismiss} /> : <Letter onDismiss={dismiss} />}
    </section>
  )
}

function Community({ onDismiss }: { onDismiss: () => void }) {
  const { t } = useTranslation('assistant')
  const [, { me }] = useChat()
  const { community_url: url = null, email = null } = me?.support ?? {}
  return (
    <>
      <p>{t('supportForm.community')}</p>
      {email && (
        <p>
          <Anchor href={`mailto:${email}`}>{t('supportForm.mail', { email })}</Anchor>
        </p>
      )}
      <DialogButtons>
        <Button onClick={onDismiss}>{t('supportForm.dismiss')}</Button>
        {url && (
          <Button component="a" variant="filled" href={url} target="_blank" rel="noreferrer">
            {t('supportForm.toCommunity')}
          </Button>
        )}
      </DialogButtons>
    </>
  )
}

function Letter({ onDismiss }: { onDismiss: () => void }) {
  const { t } = useTranslation('assistant')
  const [chat] = useChat()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<'empty' | 'failed' | null>(null)
  const [isSending, setSending] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') {
      setProblem('empty')
      return
    }
    setSending(true)
    try {
      await askSupport(chat, text.trim())
    } catch {
      setProblem('failed')
      setSending(false)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Textarea
        label={t('supportForm.message')}
        autosize
        minRows={3}
        maxRows={8}
        maxLength={5_000}
        data-autofocus
        value={text}
        error={problem && t(`supportForm.${problem}`)}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          setProblem(null)
        }}
      />
      <DialogButtons>
        <Button onClick={onDismiss}>{t('supportForm.dismiss')}</Button>
        <Button type="submit" variant="filled" loading={isSending}>
          {t('supportForm.send')}
        </Button>
      </DialogButtons>
    </form>
  )
}
