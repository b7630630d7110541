import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { NOTICE_AUDIENCES, NOTICE_LEVELS, type WrittenNotice } from '@vigil/contract/people/notices.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import { NoticeCard } from '../notices/index.ts'
import items from '../../../ui/Items.module.css'
import styles from './Admin.module.css'
import { useSite, useWriteNotice } from './admin.api.ts'
import { fieldsOf, noticeOf, type NoticeFields } from './notice-fields.ts'

interface NoticeFormProps {
  /** Null: a new one. */
  notice: WrittenNotice | null
  /** Who opened it from far down the list is taken to it. */
  takesFocus: boolean
  /** There is something to go back to. */
  canCancel: boolean
  onDone: () => void
}

type Set = <K extends keyof NoticeFields>(name: K, value: NoticeFields[K]) => void

/** Writes a notice in both languages, and shows it as people will see it. */
export function NoticeForm({ notice, takesFocus, canCancel, onDone }: NoticeFormProps) {
  const { t } = useTranslation('admin')
  const problemText = useProblemText()
  const [fields, setFields] = useState(() => fieldsOf(notice))
  const writing = useWriteNotice(notice?.id ?? null)
  const problem = writing.error ? problemOf(writing.error) : null
  const beside = problem?.kind === 'fields' ? problem.fields : {}
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (takesFocus) form.current?.querySelector('input')?.focus()
  }, [takesFocus])
  const set: Set = (name, value) => setFields((before) => ({ ...before, [name]: value }))
  function done() {
    toast(t(notice ? 'notices.changed' : 'notices.published'), 'done')
    setFields(fieldsOf(null))
    onDone()
  }
  return (
    <Panel title={t(notice ? 'notices.edit' : 'notices.new')}>
      <form
        ref={form}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          writing.mutate(noticeOf(fields), { onSuccess: done })
        }}
      >
        <Words fields={fields} set={set} beside={beside} />
        <Whom fields={fields} set={set} beside={beside} />
        {problem && Object.keys(beside).length === 0 && (
          <p role="alert" className={shared.bad}>
            {problemText(problem)}
          </p>
        )}
        <Preview fields={fields} />
        <div className={shared.buttons}>
          <Button type="submit" variant="filled" loading={writing.isPending}>
            {t(notice ? 'notices.rewrite' : 'notices.write')}
          </Button>
          {canCancel && <Button onClick={onDone}>{t('notices.cancel')}</Button>}
        </div>
      </form>
    </Panel>
  )
}

interface PartProps {
  fields: NoticeFields
  set: Set
  beside: Readonly<Record<string, string>>
}

const BOTH = [
  ['En', 'english'],
  ['Zh', 'chinese'],
] as const

/** `{en, zh}` of the contract, beside each other. Words that are wrong are told of in both. */
function Words({ fields, set, beside }: PartProps) {
  const { t } = useTranslation('admin')
  const hasLink = fields.link !== '' || fields.linkEn !== '' || fields.linkZh !== ''
  return (
    <>
      {BOTH.map(([suffix, language]) => (
        <TextInput
          key={suffix}
          label={t('notices.titleIn', { language: t(`notices.${language}`) })}
          description={t('notices.titleHint')}
          value={fields[`title${suffix}`]}
          maxLength={120}
          error={beside['title']}
          onChange={(event) => set(`title${suffix}`, event.currentTarget.value)}
        />
      ))}
      {BOTH.map(([suffix, language]) => (
        <Textarea
          key={suffix}
          label={t('notices.bodyIn', { language: t(`notices.${language}`) })}
          value={fields[`body${suffix}`]}
          autosize
          minRows={3}
          maxLength={2000}
          error={beside['body']}
          onChange={(event) => set(`body${suffix}`, event.currentTarget.value)}
        />
      ))}
      <TextInput
        className={styles.wide}
        label={t('notices.link')}
        type="url"
        placeholder="https://"
        value={fields.link}
        maxLength={500}
        error={beside['link_url']}
        onChange={(event) => set('link', event.currentTarget.value)}
      />
      {hasLink && <LinkWords fields={fields} set={set} beside={beside} />}
    </>
  )
}

function LinkWords({ fields, set, beside }: PartProps) {
  const { t } = useTranslation('admin')
  return BOTH.map(([suffix, language]) => (
    <TextInput
      key={suffix}
      label={t('notices.linkIn', { language: t(`notices.${language}`) })}
      value={fields[`link${suffix}`]}
      maxLength={60}
      error={beside['link_text']}
      onChange={(event) => set(`link${suffix}`, event.currentTarget.value)}
    />
  ))
}

/** How grave, for whom, from when until when. */
function Whom({ fields, set, beside }: PartProps) {
  const { t } = useTranslation('admin')
  return (
    <>
      <NativeSelect
        label={t('notices.level')}
        value={fields.level}
        data={NOTICE_LEVELS.map((value) => ({ value, label: t(`notices.levels.${value}`) }))}
        onChange={(event) =>
          set('level', NOTICE_LEVELS.find((one) => one === event.currentTarget.value) ?? 'info')
        }
      />
      <NativeSelect
        label={t('notices.audience')}
        value={fields.audience}
        data={NOTICE_AUDIENCES.map((value) => ({ value, label: t(`notices.audiences.${value}`) }))}
        onChange={(event) =>
          set('audience', NOTICE_AUDIENCES.find((one) => one === event.currentTarget.value) ?? 'all')
        }
      />
      {(['from', 'until'] as const).map((name) => (
        <TextInput
          key={name}
          type="datetime-local"
          label={t(`notices.${name}`)}
          description={t(`notices.${name}Hint`)}
          value={fields[name]}
          error={beside[name]}
          onChange={(event) => set(name, event.currentTarget.value)}
        />
      ))}
      <BrandChoice fields={fields} set={set} beside={beside} />
      <Checkbox
        className={styles.wide}
        label={t('notices.dismissible')}
        checked={fields.dismissible}
        onChange={(event) => set('dismissible', event.currentTarget.checked)}
      />
    </>
  )
}

/** Where there are several. */
function BrandChoice({ fields, set, beside }: PartProps) {
  const { t } = useTranslation('admin')
  const brands = useSite().data?.brands ?? []
  if (brands.length < 2) return null
  const named = brands.map(({ shown }) => ({ value: shown.name, label: shown.display_name }))
  return (
    <NativeSelect
      label={t('notices.brand')}
      value={fields.brand}
      data={[{ value: '', label: t('notices.anyBrand') }, ...named]}
      error={beside['brand']}
      onChange={(event) => set('brand', event.currentTarget.value)}
    />
  )
}

function Preview({ fields }: { fields: NoticeFields }) {
  const { t } = useTranslation('admin')
  const { level, dismissible, link } = fields
  const isEmpty = fields.bodyEn.trim() === '' && fields.bodyZh.trim() === ''
  return (
    <section className={`${styles.wide} ${shared.fields}`} aria-label={t('notices.preview')}>
      <h3 className={shared.label}>{t('notices.preview')}</h3>
      {isEmpty && <p className={items.soft}>{t('notices.emptyPreview')}</p>}
      {(['En', 'Zh'] as const).map((suffix) => {
        const body = fields[`body${suffix}`].trim()
        const title = fields[`title${suffix}`].trim() || null
        const url = link.trim() || null
        const notice = { level, dismissible, body, title, link_url: url, link_text: fields[`link${suffix}`] }
        return body === '' ? null : <NoticeCard key={suffix} notice={notice} />
      })}
    </section>
  )
}
