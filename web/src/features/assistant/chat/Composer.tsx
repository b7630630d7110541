import { ActionIcon, Menu, Textarea } from '@mantine/core'
import { IconCamera, IconHistory, IconPaperclip, IconSend2, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { lazyDialog } from '../../../ui/lazily.tsx'
import styles from './Chat.module.css'
import { photoOf } from './photo.ts'
import type { Picture } from './entries.ts'
import { send } from './query.ts'
import { useChat } from './useChat.ts'

const MomentDialog = lazyDialog(async () => (await import('./MomentDialog.tsx')).MomentDialog)

/** Enter sends; with any of these it is a new line. */
const isPlainEnter = (event: KeyboardEvent) =>
  event.key === 'Enter' &&
  !event.nativeEvent.isComposing &&
  !(event.shiftKey || event.ctrlKey || event.metaKey || event.altKey)

/** Puts a new line where the cursor stands: browsers themselves do so with shift alone. */
function breakLine({ selectionStart, selectionEnd, value }: HTMLTextAreaElement): string {
  return `${value.slice(0, selectionStart)}\n${value.slice(selectionEnd)}`
}

/** What the person types, and a picture that goes with it. */
export function Composer() {
  const { t } = useTranslation('assistant')
  const [chat, { isThinking, slicing }] = useChat('isThinking', 'slicing')
  const [picture, setPicture] = useState<Picture | null>(null)
  const isBusy = isThinking || slicing !== null
  const say = () => {
    const { draft } = chat.state()
    if ((draft.trim() === '' && !picture) || isBusy) return
    void send(chat, draft, picture ?? undefined)
    setPicture(null)
  }
  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault()
        say()
      }}
    >
      {picture && (
        <div className={styles.attached}>
          <img src={picture.shown} alt={t('picture')} />
          <ActionIcon size={32} aria-label={t('removePicture')} onClick={() => setPicture(null)}>
            <IconX size={16} stroke={1.75} />
          </ActionIcon>
        </div>
      )}
      <div className={styles.line}>
        <PictureMenu isDisabled={isBusy} onPicture={setPicture} />
        <Field isDisabled={isBusy} onEnter={say} />
        <Send isDisabled={isBusy} hasPicture={picture !== null} />
      </div>
    </form>
  )
}

function Send({ isDisabled, hasPicture }: { isDisabled: boolean; hasPicture: boolean }) {
  const { t } = useTranslation('assistant')
  const [, { draft }] = useChat('draft')
  return (
    <ActionIcon
      type="submit"
      variant="filled"
      size={38}
      aria-label={t('send')}
      disabled={isDisabled || (draft.trim() === '' && !hasPicture)}
    >
      <IconSend2 size={18} stroke={1.75} />
    </ActionIcon>
  )
}

/** Grows with what is typed, up to a height. */
function Field({ isDisabled, onEnter }: { isDisabled: boolean; onEnter: () => void }) {
  const { t } = useTranslation('assistant')
  const [chat, { draft }] = useChat('draft')
  const field = useRef<HTMLTextAreaElement>(null)
  const isTyping = useRef(false)
  // Closed while something is thought about, it loses the focus: whoever typed goes on typing.
  useEffect(() => {
    if (isDisabled || !isTyping.current) return
    isTyping.current = false
    if (document.activeElement === document.body) field.current?.focus()
  }, [isDisabled])
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isPlainEnter(event)) {
      event.preventDefault()
      isTyping.current = true
      onEnter()
    } else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault()
      chat.set({ draft: breakLine(event.currentTarget) })
    }
  }
  return (
    <Textarea
      ref={field}
      className={styles.field}
      autosize
      minRows={1}
      aria-label={t('input')}
      placeholder={t('placeholder')}
      value={draft}
      disabled={isDisabled}
      maxLength={10_000}
      onChange={({ currentTarget }) => chat.set({ draft: currentTarget.value })}
      onKeyDown={onKey}
    />
  )
}

interface PictureMenuProps {
  isDisabled: boolean
  onPicture: (picture: Picture) => void
}

/** A photo of what went wrong, or a moment of a print that is kept here. */
function PictureMenu({ isDisabled, onPicture }: PictureMenuProps) {
  const { t } = useTranslation('assistant')
  const file = useRef<HTMLInputElement>(null)
  const [chat] = useChat()
  const [isChoosing, setChoosing] = useState(false)
  const take = async (chosen: File) => {
    const photo = await photoOf(chosen)
    if (photo === null) chat.add({ kind: 'own', word: 'badPicture', tone: 'bad' })
    else onPicture({ shown: photo, sent: { image: photo } })
  }
  return (
    <>
      <input
        ref={file}
        type="file"
        accept="image/*"
        hidden
        onChange={({ currentTarget }) => {
          const [chosen] = currentTarget.files ?? []
          if (chosen) void take(chosen)
          currentTarget.value = ''
        }}
      />
      <Menu position="top-start" width={230}>
        <Menu.Target>
          <ActionIcon size={38} aria-label={t('attach')} title={t('attach')} disabled={isDisabled}>
            <IconPaperclip size={18} stroke={1.75} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconCamera size={17} stroke={1.75} />}
            onClick={() => file.current?.click()}
          >
            {t('photo')}
          </Menu.Item>
          <Menu.Item leftSection={<IconHistory size={17} stroke={1.75} />} onClick={() => setChoosing(true)}>
            {t('moment')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isChoosing && <MomentDialog onPicture={onPicture} onClose={() => setChoosing(false)} />}
    </>
  )
}
