import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { PEOPLE_STATES, type Person } from '@vigil/contract/people/directory.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { Failed } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import table from '../../../ui/Table.module.css'
import { useTimeText } from '../../../ui/time.tsx'
import { AdminPage } from './AdminPage.tsx'
import { Marks } from './Marks.tsx'
import items from '../../../ui/Items.module.css'
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
          rows && <People rows={rows} />
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

/** Everybody who was found, in columns. */
function People({ rows }: { rows: readonly Person[] }) {
  const { t } = useTranslation('admin')
  const { settings } = useBootstrap()
  if (rows.length === 0) return <p className={items.none}>{t('people.none')}</p>
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{t('people.columns.person')}</th>
          {settings.IS_ENT && <th scope="col">{t('people.columns.plan')}</th>}
          <th scope="col" data-figure>
            {t('people.columns.printers')}
          </th>
          <th scope="col">{t('people.columns.lastHere')}</th>
          <th scope="col">{t('people.columns.since')}</th>
          <th scope="col" aria-label={t('people.columns.marks')} />
        </tr>
      </thead>
      <tbody>
        {rows.map((person) => (
          <PersonRow key={person.id} person={person} />
        ))}
      </tbody>
    </table>
  )
}

function PersonRow({ person }: { person: Person }) {
  const { t } = useTranslation('admin')
  const { moment } = useTimeText()
  const { settings } = useBootstrap()
  const { id, email, name, plan, printers } = person
  const [at, since] = [ms(person.last_active_at), ms(person.created_at)]
  return (
    <tr>
      <td>
        <div className={styles.words}>
          <Link to={paths.person(id)} className={styles.name}>
            {name}
          </Link>
          {name !== email && <span className={items.soft}>{email}</span>}
        </div>
      </td>
      {settings.IS_ENT && <td data-label={t('people.columns.plan')}>{t(`people.plans.${plan}`)}</td>}
      <td data-figure data-label={t('people.columns.printers')}>
        {printers}
      </td>
      <td data-label={t('people.columns.lastHere')}>{at === null ? t('person.never') : moment(at)}</td>
      <td data-label={t('people.columns.since')}>{since !== null && moment(since)}</td>
      <td>
        <div className={styles.marks}>
          <Marks person={person} />
        </div>
      </td>
    </tr>
  )
}
