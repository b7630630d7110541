import { PasswordInput, Textarea, TextInput } from '@mantine/core'
import type { NotificationSetting } from '@vigil/contract/tell/notifications.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useMessages } from '../../../lib/catalogue.ts'
import { type Problem, problemOf } from '../../../lib/errors.ts'
import { createSaver, IDLE, type Refusal } from '../../../printer/saver.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { describedByRow, type SaveState, SettingRow } from '../../../ui/SettingRow.tsx'
import { useErrorDialog } from '../../../ui/useErrorDialog.tsx'
import type { ChannelField, ChannelForm } from './channels.ts'
import { addChannel, changeChannel, keepChannel, removeChannel } from './notifications.api.ts'
import styles from './Notifications.module.css'
import { useChannelWords } from './useChannelWords.ts'

/** Text is saved this long after the last change (docs/rules/pages.md 2). */
const SAVE_AFTER_MS = 1_000

type Values = Readonly<Record<string, string>>

const valuesOf = (fields: readonly ChannelField[], setting: NotificationSetting | undefined): Values =>
  Object.fromEntries(fields.map(({ key }) => [key, String(setting?.config[key] ?? '')]))

/** What a channel is set up by: saved while it is typed; emptied, the channel is removed. */
export function ChannelFields({
  form,
  setting,
}: {
  form: ChannelForm
  setting: NotificationSetting | undefined
}) {
  const words = useChannelWords()
  const [draft, setDraft] = useState<Values | null>(null)
  const { state, saver } = useSaving(form, setting, () => setDraft(null))
  const values = draft ?? valuesOf(form.fields, setting)

  function set(key: string, value: string) {
    const next = { ...values, [key]: value }
    setDraft(next)
    const required = form.fields.filter(({ isOptional }) => !isOptional)
    const filled = required.filter((field) => next[field.key]?.trim())
    // Half of it says nothing yet, but emptied it is removed.
    if (filled.length === required.length || (filled.length === 0 && setting)) saver.set(next, SAVE_AFTER_MS)
  }

  const last = form.fields.at(-1)?.key
  return form.fields.map((field, at) => {
    const told = toldAt(field.key, state, field.key === last)
    return (
      <SettingRow
        key={field.key}
        label={words(form.name, field.key)}
        hint={at === 0 ? words(form.name, 'how') : undefined}
        {...(told && { state: told })}
        wide
      >
        {(ids) => (
          <FieldInput
            {...ids}
            field={field}
            className={styles.field}
            value={values[field.key] ?? ''}
            autoComplete="off"
            spellCheck={false}
            aria-invalid={told?.phase === 'failed'}
            aria-errormessage={ids['aria-describedby']}
            onChange={(event) => set(field.key, event.currentTarget.value)}
            onBlur={saver.flush}
          />
        )}
      </SettingRow>
    )
  })
}

/** What a row says of how saving went: what is wrong of its own field; the last one says what is of none. */
function toldAt(key: string, state: SaveState, isLast: boolean): SaveState | null {
  if (!state.fields) return isLast ? state : null
  const error = state.fields[key]
  if (error !== undefined) return { ...state, error }
  return isLast ? IDLE : null
}

interface FieldProps {
  readonly field: ChannelField
  readonly className: string | undefined
  readonly value: string
  readonly autoComplete: string
  readonly spellCheck: false
  readonly 'aria-labelledby': string
  readonly 'aria-describedby': string
  readonly 'aria-invalid': boolean
  /** A secret's input forgets what describes it, but not this. */
  readonly 'aria-errormessage': string
  readonly onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void
  readonly onBlur: () => void
}

/** One field of a form, by its kind. */
function FieldInput({ field: { kind, placeholder = '' }, ...props }: FieldProps) {
  const all = { ...props, placeholder, maxLength: kind === 'area' ? 20_000 : 2000 }
  if (kind === 'area') return <Textarea {...all} {...describedByRow} autosize minRows={2} maxRows={6} />
  return kind === 'secret' ? (
    <PasswordInput {...all} />
  ) : (
    <TextInput {...all} {...describedByRow} type={kind} />
  )
}

/** Why a channel was not saved: what belongs to a field beside it, the rest in a dialog (docs/rules/pages.md). */
function useRefusal(keys: readonly string[]) {
  const message = useMessages()
  const problemText = useProblemText()
  const showError = useErrorDialog()
  return (problem: Problem): Refusal => {
    const failed = message('preferencesNotSaved')
    if (problem.kind !== 'fields') return { error: `${failed}. ${problemText(problem)}`, again: true }
    if (problem.general) showError(problem.general)
    const fields = Object.fromEntries(Object.entries(problem.fields).filter(([key]) => keys.includes(key)))
    const error = Object.values(problem.fields).join(' ') || `${failed}.`
    return { error, again: false, ...(Object.keys(fields).length > 0 && { fields }) }
  }
}

function useSaving(form: ChannelForm, setting: NotificationSetting | undefined, onSaved: () => void) {
  const { t } = useTranslation('common')
  const client = useQueryClient()
  const refusal = useRefusal(form.fields.map(({ key }) => key))
  const [state, setState] = useState<SaveState>(IDLE)

  async function put(values: Values): Promise<Refusal | null> {
    const config = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value.trim()]))
    const isEmpty = form.fields.every(({ key, isOptional }) => isOptional || !config[key])
    try {
      if (isEmpty && setting) await removeChannel(setting.id)
      const others =
        form.name === 'twilio' ? { notify_on_print_done: false, notify_on_filament_change: false } : {}
      const after = isEmpty
        ? null
        : await (setting ? changeChannel(setting, { config }) : addChannel(form.name, config, others))
      keepChannel(client, form.name, after)
      return null
    } catch (error) {
      return refusal(problemOf(error))
    }
  }

  const latest = useRef({ put, onSaved })
  latest.current = { put, onSaved }
  const [saver] = useState(() =>
    createSaver<Values>({
      put: (values) => latest.current.put(values),
      tooSlow: () => t('problem.offline'),
      show: (next) => {
        if (next.phase === 'saved') latest.current.onSaved()
        setState(next)
      },
    }),
  )
  useEffect(() => saver.flush, [saver])
  return { state, saver }
}
