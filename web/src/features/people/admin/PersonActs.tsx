import { Button, TextInput } from '@mantine/core'
import type { WholePerson } from '@vigil/contract/people/directory.ts'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { serverUrl } from '../../../lib/base.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useUser } from '../../../lib/session.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import items from '../../../ui/Items.module.css'
import styles from './Admin.module.css'
import { useActAs, useChangePerson, useResetFactors } from './admin.api.ts'

/** What an administrator can do to an account: nothing to their own, nor to one that is about to go. */
export function PersonActs({ person }: { person: WholePerson }) {
  const { t } = useTranslation('admin')
  const me = useUser()
  if (person.id === me.id) return null
  if (person.is_leaving)
    return (
      <Panel title={t('person.acts')}>
        <p className={items.soft}>{t('person.leaving')}</p>
      </Panel>
    )
  return (
    <Panel title={t('person.acts')}>
      <ul className={items.list}>
        {!person.is_staff && person.is_active && <ActAs person={person} />}
        {person.factors.length > 0 && <ResetFactors person={person} />}
        <Disable person={person} />
      </ul>
    </Panel>
  )
}

interface ActProps {
  label: string
  hint: string
  error: Error | null
  children: ReactNode
}

function Act({ label, hint, error, children }: ActProps) {
  const problemText = useProblemText()
  return (
    <li className={items.item}>
      <div className={styles.words}>
        <span className={styles.name}>{label}</span>
        <span className={items.soft}>{hint}</span>
        {error && (
          <span role="alert" className={shared.bad}>
            {problemText(problemOf(error))}
          </span>
        )}
      </div>
      {children}
    </li>
  )
}

function Disable({ person: { id, email, is_active: isActive } }: { person: WholePerson }) {
  const { t } = useTranslation('admin')
  const { mutate, isPending, error } = useChangePerson(id)
  const word = isActive ? 'disable' : 'enable'
  async function turn() {
    const question = { title: t('person.disableAsk', { email }), text: t('person.disableText') }
    if (!isActive || (await confirm({ ...question, action: t('person.disable'), tone: 'bad' })))
      mutate({ is_active: !isActive })
  }
  return (
    <Act label={t(`person.${word}`)} hint={t(`person.${word}Hint`)} error={error}>
      <Button color={isActive ? 'bad' : 'accent'} loading={isPending} onClick={() => void turn()}>
        {t(`person.${word}`)}
      </Button>
    </Act>
  )
}

function ResetFactors({ person: { id, email, is_reset_asked: isAsked } }: { person: WholePerson }) {
  const { t } = useTranslation('admin')
  const { mutate, isPending, error } = useResetFactors(id)
  async function reset() {
    const question = { title: t('person.resetAsk', { email }), text: t('person.resetText') }
    if (await confirm({ ...question, action: t('person.reset'), tone: 'bad' })) mutate(undefined)
  }
  return (
    <Act label={t('person.reset')} hint={t('person.resetHint')} error={error}>
      <Button loading={isPending} disabled={isAsked} onClick={() => void reset()}>
        {t('person.reset')}
      </Button>
    </Act>
  )
}

/** What is loaded is one's own: all of it is loaded anew. */
const begin = () => location.assign(serverUrl(paths.printers))

function ActAs({ person: { id } }: { person: WholePerson }) {
  const { t } = useTranslation('admin')
  const [reason, setReason] = useState('')
  const { mutate, isPending, error } = useActAs(id)
  return (
    <Act label={t('person.act')} hint={t('person.actHint')} error={error}>
      <form
        className={shared.buttons}
        onSubmit={(event) => {
          event.preventDefault()
          mutate(reason.trim(), { onSuccess: begin })
        }}
      >
        <TextInput
          aria-label={t('person.reason')}
          placeholder={t('person.reasonPlaceholder')}
          value={reason}
          maxLength={300}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Button type="submit" loading={isPending} disabled={reason.trim() === ''}>
          {t('person.act')}
        </Button>
      </form>
    </Act>
  )
}
