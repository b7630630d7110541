import { Button } from '@mantine/core'
import { IconAlertTriangle, IconSquareX } from '@tabler/icons-react'
import type { AssistantMessage } from '@vigil/contract/assistant/answers.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { Changes } from './Changes.tsx'
import styles from './Chat.module.css'
import type { Choice, Entry } from './entries.ts'
import { press } from './press.ts'
import { useChat } from './useChat.ts'

/** One thing that was said, with the buttons below it. */
export function EntryView({ entry }: { entry: Entry }) {
  return (
    <div className={styles.entry} data-kind={entry.kind}>
      <Said entry={entry} />
      {entry.choices && entry.choices.length > 0 && <Choices entry={entry} choices={entry.choices} />}
    </div>
  )
}

function Said({ entry }: { entry: Entry }) {
  const { t } = useTranslation('assistant')
  if (entry.kind === 'user')
    return (
      <div className={styles.user}>
        <span className={styles.hidden}>{t('you')}: </span>
        {entry.picture && <img src={entry.picture} alt={t('picture')} />}
        {entry.text && <p>{entry.text}</p>}
      </div>
    )
  if (entry.kind === 'notification') {
    const Icon = entry.level === 'error' ? IconSquareX : IconAlertTriangle
    return (
      <div className={styles.notification} data-level={entry.level}>
        <Icon size={18} stroke={1.75} aria-hidden />
        <div>
          <strong>{t(`level.${entry.level}`)}</strong>
          <p>{entry.text}</p>
        </div>
      </div>
    )
  }
  if (entry.kind === 'own')
    return (
      <p className={styles.words} data-tone={entry.tone} role={entry.tone === 'bad' ? 'alert' : undefined}>
        {t(`own.${entry.word}`, { ...entry.params })}
      </p>
    )
  return (
    <Answer message={entry.message}>
      <Changes
        id={entry.id}
        message={entry.message}
        gone={entry.isRefused ? 'refused' : entry.isTakenBack ? 'takenBack' : null}
        otherwise={entry.otherwise ?? []}
      />
    </Answer>
  )
}

function Answer({ message, children }: { message: AssistantMessage; children: React.ReactNode }) {
  const { t } = useTranslation('assistant')
  const { content, notes = [], looked_at: looked, suggested_printing_method: method } = message
  return (
    <div className={styles.answer}>
      {looked && (
        <figure className={styles.looked}>
          <div>
            <img src={looked.image_url} alt={t('lookedAt', { filename: looked.filename })} />
            {looked.boxes.map(({ x, y, width, height }, at) => (
              <i
                key={at}
                style={{
                  left: `${(x - width / 2) * 100}%`,
                  top: `${(y - height / 2) * 100}%`,
                  width: `${width * 100}%`,
                  height: `${height * 100}%`,
                }}
              />
            ))}
          </div>
          <figcaption>{t('lookedAt', { filename: looked.filename })}</figcaption>
        </figure>
      )}
      {content && <p>{content}</p>}
      {method && <p className={styles.method}>{method}</p>}
      {children}
      {notes.map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
    </div>
  )
}

function Choices({ entry, choices }: { entry: Entry; choices: readonly Choice[] }) {
  const { t } = useTranslation('assistant')
  const [chat, { isThinking, slicing }] = useChat('isThinking', 'slicing')
  const isBusy = isThinking || slicing !== null
  return (
    <div className={styles.choices}>
      {choices.map(({ label, act }, at) => (
        <Button
          key={at}
          size="xs"
          disabled={isBusy && act.do !== 'startOver'}
          onClick={() => void press(chat, entry, act, (text) => t('explain', { text }))}
        >
          {typeof label === 'string' ? t(`button.${label}`) : label.said}
        </Button>
      ))}
    </div>
  )
}
