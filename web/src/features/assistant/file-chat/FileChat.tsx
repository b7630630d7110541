import { Box, Button, Textarea } from '@mantine/core'
import { IconThumbDown, IconThumbUp } from '@tabler/icons-react'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Chat, FEEDBACK_LENGTH, listChats, updateChat } from '@vigil/contract/assistant/chats.ts'
import { type FormEvent, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { call } from '../../../lib/call.ts'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import styles from './FileChat.module.css'
import { saidIn } from './said.ts'

const chatQuery = (fileId: number) =>
  queryOptions({
    queryKey: ['assistant', 'chats', fileId],
    queryFn: () => call(listChats, { query: { g_code_file_id: fileId } }),
    retry: false,
  })

interface FileChatProps {
  fileId: number
}

/** Of a file that the slicer's assistant helped to make: how its settings did, and what was said. */
export function FileChat({ fileId }: FileChatProps) {
  const { t } = useTranslation('assistant')
  const { data } = useQuery(chatQuery(fileId))
  const chat = data?.[0]
  if (!chat) return null
  const what = [chat.machine_name, chat.filament_name, chat.print_process_name].filter(Boolean).join(' · ')
  return (
    <Panel title={t('file.title')}>
      {what && (
        <p className={shared.small}>
          <bdi>{t('file.with', { what })}</bdi>
        </p>
      )}
      <Feedback chat={chat} fileId={fileId} />
      <History messages={chat.messages} />
    </Panel>
  )
}

const THUMBS = [
  ['positive', IconThumbUp],
  ['negative', IconThumbDown],
] as const

function useFeedback({ id }: Chat, fileId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { user_feedback?: Chat['user_feedback']; user_feedback_text?: string }) =>
      call(updateChat, { params: { id }, body }),
    onSuccess: (kept) => client.setQueryData(chatQuery(fileId).queryKey, [kept]),
  })
}

/** Whether the settings printed well; after that, in one's own words. */
function Feedback({ chat, fileId }: { chat: Chat; fileId: number }) {
  const { t } = useTranslation('assistant')
  const save = useFeedback(chat, fileId)
  const isKept = save.isSuccess && save.variables.user_feedback_text !== undefined
  return (
    <>
      <Box component="p" m="10px 0 8px">
        {t('file.question')}
      </Box>
      <div className={shared.buttons} role="group" aria-label={t('file.question')}>
        {THUMBS.map(([verdict, Icon]) => {
          const isGiven = chat.user_feedback === verdict
          return (
            <Button
              key={verdict}
              leftSection={<Icon size={16} stroke={1.75} />}
              aria-pressed={isGiven}
              disabled={save.isPending}
              onClick={() => save.mutate({ user_feedback: verdict })}
              {...(isGiven ? { variant: 'light', color: 'accent' } : {})}
            >
              {t(`file.${verdict}`)}
            </Button>
          )
        })}
      </div>
      {chat.user_feedback && (
        <OwnWords
          kept={chat.user_feedback_text ?? ''}
          isSaving={save.isPending}
          onSave={(user_feedback_text) => save.mutate({ user_feedback_text })}
        />
      )}
      {save.isError && (
        <p className={shared.problem} role="alert">
          {t('file.failed')}
        </p>
      )}
      {isKept && (
        <p className={shared.small} role="status">
          {t('file.saved')}
        </p>
      )}
    </>
  )
}

interface OwnWordsProps {
  kept: string
  isSaving: boolean
  onSave: (text: string) => void
}

function OwnWords({ kept, isSaving, onSave }: OwnWordsProps) {
  const { t } = useTranslation('assistant')
  const [text, setText] = useState(kept)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSave(text.trim())
  }
  return (
    <form className={styles.words} onSubmit={submit}>
      <Textarea
        label={t('file.text')}
        description={t('file.hint', { left: FEEDBACK_LENGTH - text.length })}
        inputWrapperOrder={['label', 'input', 'description']}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={FEEDBACK_LENGTH}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button type="submit" loading={isSaving} disabled={text === kept}>
        {t('file.save')}
      </Button>
    </form>
  )
}

/** What was said, as far as it can be read. */
function History({ messages }: { messages: string }) {
  const { t } = useTranslation('assistant')
  const said = saidIn(messages)
  return (
    <details className={styles.history}>
      <summary>{t('file.chat')}</summary>
      {said.length === 0 ? (
        <p className={shared.small}>{t('file.no')}</p>
      ) : (
        <ol>
          {said.map(({ isOwn, content, changes }, at) => (
            <li key={at}>
              <strong>{isOwn ? t('you') : t('title')}</strong>
              {content && <p>{content}</p>}
              {changes.map(({ label, before, after }) => (
                <p key={label} className={shared.small}>
                  {label}: {before ?? t('changes.none')} → {after}
                </p>
              ))}
            </li>
          ))}
        </ol>
      )}
    </details>
  )
}
