import { Button } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { DoorFrame } from './DoorFrame.tsx'
import { fieldError, FormAlert } from './FormAlert.tsx'
import { useKeepAccount } from './leaving.api.ts'
import styles from './Security.module.css'

/** The link in a letter leads here. Its button keeps the account, not the opening of the page: mail filters open pages, too. */
export default function KeepAccountScreen() {
  const { t } = useTranslation('leaving')
  const { key = '' } = useParams({ strict: false })
  const { mutate, error, isPending, isSuccess } = useKeepAccount()
  useTitle(t('keep.title'))
  const over = fieldError(error, 'link')
  return (
    <DoorFrame
      title={t(isSuccess ? 'keep.done' : 'keep.title')}
      lead={t(isSuccess ? 'keep.doneLead' : 'keep.lead')}
    >
      <div className={styles.form}>
        {over ? <p role="alert">{over}</p> : <FormAlert error={error} />}
        {isSuccess ? (
          <Button variant="filled" fullWidth renderRoot={(props) => <Link {...props} to={paths.login} />}>
            {t('keep.signIn')}
          </Button>
        ) : (
          <Button variant="filled" fullWidth loading={isPending} onClick={() => mutate(key)}>
            {t('keep.button')}
          </Button>
        )}
      </div>
    </DoorFrame>
  )
}
