import { Anchor, Button, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { DialogButtons } from '../../../ui/Dialog.tsx'
import styles from './Chat.module.css'
import { askSupport } from './press.ts'
import { useChat } from './useChat.ts'

/** In the place of the input: a letter to who supports this, or the way to the community. */
export function SupportForm() {
  const { t } = useTranslation('assistant')
  const [chat, { me }] = useChat('me')
  const dismiss = () => {
    chat.set({ isAskingSupport: false })
    chat.add({ kind: 'own', word: 'supportDismissed' })
  }
  return (
    <section className={styles.support} aria-label={t('supportForm.title')}>
      <h2>{t('supportForm.title')}</h2>
      {me && (me.support.by === 'community' || me.support.email === null) ? (
        <Elsewhere onDismiss={dismiss} />
      ) : (
        <Letter onDismiss={dismiss} />
      )}
    </section>
  )
}

/** Where the plan has no letters, or whoever runs this server nobody to read them. */
function Elsewhere({ onDismiss }: { onDismiss: () => void }) {
  const { t } = useTranslation('assistant')
  const [, { me }] = useChat('me')
  const { by = 'form', community_url: url = null, email = null } = me?.support ?? {}
  return (
    <>
      <p>{t(by === 'community' ? 'supportForm.community' : 'supportForm.nobody')}</p>
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

type Problem = 'empty' | 'noAddress' | 'failed'

/** Sends a letter; says what is wrong with it, or with sending. */
function useLetter() {
  const [chat, { me }] = useChat('me')
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isSending, setSending] = useState(false)
  const isStranger = me === null
  const send = async (text: string, address: string, isAddress: boolean) => {
    if (text === '' || (isStranger && !isAddress)) {
      setProblem(text === '' ? 'empty' : 'noAddress')
      return
    }
    setSending(true)
    try {
      await askSupport(chat, text, isStranger ? address : undefined)
    } catch {
      setProblem('failed')
      setSending(false)
    }
  }
  return { send, problem, forget: () => setProblem(null), isSending, isStranger }
}

function Letter({ onDismiss }: { onDismiss: () => void }) {
  const { t } = useTranslation('assistant')
  const [text, setText] = useState('')
  const address = useRef<HTMLInputElement>(null)
  const { send, problem, forget, isSending, isStranger } = useLetter()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { value = '', validity } = address.current ?? {}
    void send(text.trim(), value.trim(), value.trim() !== '' && validity?.valid === true)
  }
  return (
    <form noValidate onSubmit={submit}>
      {isStranger && (
        <TextInput
          ref={address}
          type="email"
          autoComplete="email"
          maxLength={254}
          mb={10}
          label={t('supportForm.email')}
          error={problem === 'noAddress' && t('supportForm.noAddress')}
          onChange={forget}
        />
      )}
      <Textarea
        label={t('supportForm.message')}
        autosize
        minRows={3}
        maxRows={8}
        maxLength={5_000}
        data-autofocus
        value={text}
        error={problem !== null && problem !== 'noAddress' && t(`supportForm.${problem}`)}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          forget()
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
