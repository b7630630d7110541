import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { useUser } from '../../../lib/session.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import items from '../../../ui/Items.module.css'
import styles from './Admin.module.css'
import { useTestMail } from './admin.api.ts'

/** Sends a letter now, and shows what the mail server said to it. */
export function TestMailPanel() {
  const { t } = useTranslation('admin')
  const problemText = useProblemText()
  const me = useUser()
  const [email, setEmail] = useState(me.email)
  const { mutate, isPending, data, error } = useTestMail()
  const problem = error ? problemOf(error) : null
  const beside = problem?.kind === 'fields' ? problem.fields['email'] : undefined
  return (
    <Panel title={t('mail.title')}>
      <form
        className={styles.tools}
        onSubmit={(event) => {
          event.preventDefault()
          mutate(email.trim())
        }}
      >
        <TextInput
          type="email"
          aria-label={t('mail.email')}
          placeholder={t('mail.email')}
          value={email}
          maxLength={254}
          error={beside}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Button type="submit" loading={isPending} disabled={email.trim() === ''}>
          {t('mail.send')}
        </Button>
      </form>
      {data && (
        <p role="status" className={data.accepted ? items.soft : shared.bad}>
          {t(data.accepted ? 'mail.accepted' : 'mail.refused', { said: data.said })}
        </p>
      )}
      {problem && beside === undefined && (
        <p role="alert" className={shared.bad}>
          {problemText(problem)}
        </p>
      )}
    </Panel>
  )
}
