import { Button } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { DoorFrame } from './DoorFrame.tsx'
import { useKeepFactors } from './factors.api.ts'
import { fieldError, FormAlert } from './FormAlert.tsx'
import styles from './Security.module.css'

/** The link in a letter leads here. Its button objects, not the opening of the page: mail filters open pages, too. */
export default function KeepFactorsScreen() {
  const { t } = useTranslation('security')
  const { key = '' } = useParams({ strict: false })
  const { mutate, error, isPending, isSuccess } = useKeepFactors()
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
          <Button variant="filled" fullWidth renderRoot={(props) => <Link {...props} to={paths.reset} />}>
            {t('keep.password')}
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
