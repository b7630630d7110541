import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import type { AssistantMessage } from '@vigil/contract/assistant/answers.ts'
import { useTranslation } from '../../../lib/translation.ts'
import styles from './Chat.module.css'
import { takeBack } from './query.ts'
import { type Otherwise, PRESET } from './standing.ts'
import { useChat } from './useChat.ts'

interface ChangesProps {
  id: number
  message: AssistantMessage
  /** Why they do not stand any more, or never did. */
  gone: 'takenBack' | 'refused' | null
  /** What of it the slicer has otherwise. */
  otherwise?: readonly Otherwise[]
}

/** The preset that an answer chose, as one more change; null where it stays, or is among its changes. */
function presetChange({ slicing_profiles: now, before, changes = [] }: AssistantMessage) {
  if (!now || !before || now.use_print_process_preset === before.use_print_process_preset) return null
  if (changes.some(({ parameter }) => parameter === PRESET)) return null
  return { before: before.use_print_process_preset, after: now.use_print_process_preset }
}

/** Every setting that an answer changed: what it was, what it is, and why; and the button that takes it all back. */
export function Changes({ id, message, gone, otherwise = [] }: ChangesProps) {
  const { t } = useTranslation('assistant')
  const [chat, { isThinking, slicing }] = useChat('isThinking', 'slicing')
  const { changes = [] } = message
  const preset = presetChange(message)
  const count = changes.length + (preset ? 1 : 0)
  if (count === 0) return null
  const isBusy = isThinking || slicing !== null
  return (
    <section className={styles.changes} data-back={gone !== null} aria-label={t('changes.title', { count })}>
      <header>
        <h2>{t('changes.title', { count })}</h2>
        {gone ? (
          <span>{t(`changes.${gone}`)}</span>
        ) : (
          message.before && (
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<IconArrowBackUp size={16} stroke={1.75} />}
              disabled={isBusy}
              onClick={() => void takeBack(chat, id)}
            >
              {t('changes.takeBack')}
            </Button>
          )
        )}
      </header>
      <ul>
        {preset && <Change label={t('changes.preset')} before={preset.before} after={preset.after} />}
        {changes.map(({ of, parameter, label, before, after, reason, source, limited }) => (
          <Change
            key={`${of} ${parameter}`}
            label={label}
            before={before}
            after={after}
            other={otherwise.find((one) => one.parameter === parameter)}
          >
            {limited && <p className={styles.limited}>{limited}</p>}
            {reason && <p>{reason}</p>}
            {source && <p className={styles.source}>{t('changes.source', { source })}</p>}
          </Change>
        ))}
      </ul>
    </section>
  )
}

/** A value as the slicer has it, in our grammar: `15 %`. */
const shown = (value: string) =>
  value.endsWith('%') && value !== '%' && Number.isFinite(Number(value.slice(0, -1)))
    ? `${value.slice(0, -1)}\u00a0%`
    : value

interface ChangeProps {
  label: string
  before: string | null
  after: string
  /** What stands there instead. */
  other?: Otherwise | undefined
  children?: React.ReactNode
}

function Change({ label, before, after, other, children }: ChangeProps) {
  const { t } = useTranslation('assistant')
  return (
    <li data-back={other !== undefined}>
      <div className={styles.change}>
        <span>{label}</span>
        <span className={styles.values}>
          <span className={styles.hidden}>{t('changes.before')}: </span>
          <s>{before === null ? t('changes.none') : shown(before)}</s>
          <span aria-hidden> → </span>
          <span className={styles.hidden}>{t('changes.after')}: </span>
          <b>{shown(after)}</b>
        </span>
      </div>
      {other && (
        <p className={styles.limited}>
          {other.now === null
            ? t('changes.otherwiseUnknown')
            : t('changes.otherwise', { value: shown(other.now) })}
        </p>
      )}
      {children}
    </li>
  )
}
