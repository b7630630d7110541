import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { PEOPLE_STATES, type Person } from '@vigil/contract/people/directory.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { Failed } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { AdminPage } from './AdminPage.tsx'
import { Marks } from './Marks.tsx'
import styles from './Admin.module.css'
import { type PeopleState, usePeople } from './admin.api.ts'

/** `/admin/`: everybody who has an account, to be looked for. */
export default function PeopleScreen() {
  const { t } = useTranslation('admin')
  const [word, setWord] = useState('')
  const [state, setState] = useState<PeopleState>('all')
  const [asked] = useDebouncedValue(word.trim(), 250)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = usePeople(asked, state)
  const rows = data?.pages.flatMap(({ people }) => people)
  const count = data?.pages[0]?.count
  return (
    <AdminPage title={t('sections.people')} isBusy={!data && !error}>
      <Panel title={count === undefined ? '' : t('people.count', { count })}>
        <div className={styles.tools}>
          <TextInput
            type="search"
            aria-label={t('people.search')}
            placeholder={t('people.search')}
            value={word}
            maxLength={200}
            onChange={(event) => setWord(event.currentTarget.value)}
          />
          <NativeSelect
            aria-label={t('people.state')}
            value={state}
            data={PEOPLE_STATES.map((value) => ({ value, label: t(`people.states.${value}`) }))}
            onChange={(event) =>
              setState(PEOPLE_STATES.find((one) => one === event.currentTarget.value) ?? 'all')
            }
          />
        </div>
        {error ? (
          <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
        ) : (
          <ul className={styles.list}>
            {rows?.length === 0 && <li className={styles.none}>{t('people.none')}</li>}
            {rows?.map((person) => (
              <PersonRow key={person.id} person={person} />
            ))}
          </ul>
        )}
        {hasNextPage && (
          <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('more')}
          </Button>
        )}
      </Panel>
    </AdminPage>
  )
}

function PersonRow({ person }: { person: Person }) {
  const { t } = useTranslation('admin')
  const { moment } = useTimeText()
  const { settings } = useBootstrap()
  const { id, email, name, plan, printers } = person
  const at = ms(person.last_active_at)
  const facts = [
    name === email ? null : email,
    settings.IS_ENT ? t(`people.plans.${plan}`) : null,
    t('people.printers', { count: printers }),
    at === null ? t('people.never') : t('people.lastHere', { moment: moment(at) }),
  ]
  return (
    <li className={styles.item}>
      <div className={styles.words}>
        <Link to={paths.person(id)} className={styles.name}>
          {name}
        </Link>
        <span className={styles.soft}>{facts.filter(Boolean).join(' · ')}</span>
      </div>
      <Marks person={person} />
    </li>
  )
}
