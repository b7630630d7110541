import { Button } from '@mantine/core'
import type { WrittenNotice } from '@vigil/contract/people/notices.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { serverNow } from '../../../lib/clock.ts'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { Failed, useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import { useTimeText } from '../../../ui/time.tsx'
import { AdminPage } from './AdminPage.tsx'
import items from '../../../ui/Items.module.css'
import styles from './Admin.module.css'
import { useRemoveNotice, useWrittenNotices } from './admin.api.ts'
import { NoticeForm } from './NoticeForm.tsx'

/** `/admin/notices/`: what people are told above every page: written in both languages, changed, taken back. */
export default function NoticesScreen() {
  const { t } = useTranslation('admin')
  const { data, error, refetch } = useWrittenNotices()
  const [edited, setEdited] = useState<WrittenNotice | 'new' | 'first' | null>(null)
  // Where there is none, one is about to be written, also when another administrator is faster.
  if (edited === null && data?.length === 0) setEdited('first')
  const notice = typeof edited === 'string' ? null : edited
  return (
    <AdminPage
      title={t('sections.notices')}
      isBusy={!data && !error}
      actions={
        data &&
        edited === null && (
          <Button variant="filled" onClick={() => setEdited('new')}>
            {t('notices.new')}
          </Button>
        )
      }
    >
      {edited && (
        <NoticeForm
          key={notice?.id ?? 'new'}
          notice={notice}
          takesFocus={edited !== 'first'}
          canCancel={data !== undefined && data.length > 0}
          onDone={() => setEdited(null)}
        />
      )}
      <Panel title={t('notices.list')}>
        {error ? (
          <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
        ) : (
          <ul className={items.list}>
            {data?.length === 0 && <li className={items.none}>{t('notices.none')}</li>}
            {data?.map((notice) => (
              <NoticeRow key={notice.id} notice={notice} onEdit={() => setEdited(notice)} />
            ))}
          </ul>
        )}
      </Panel>
    </AdminPage>
  )
}

function useStateText() {
  const { t } = useTranslation('admin')
  const { moment } = useTimeText()
  return ({ from, until }: WrittenNotice) => {
    const [begins, ends, now] = [ms(from) ?? 0, ms(until), serverNow()]
    if (ends !== null && ends <= now) return t('notices.state.over', { moment: moment(ends) })
    const word = begins > now ? t('notices.state.later', { moment: moment(begins) }) : t('notices.state.now')
    return ends === null ? word : `${word}, ${t('notices.untilMoment', { moment: moment(ends) })}`
  }
}

function NoticeRow({ notice, onEdit }: { notice: WrittenNotice; onEdit: () => void }) {
  const { t, i18n } = useTranslation('admin')
  const problemText = useProblemText()
  const stateText = useStateText()
  const removing = useRemoveNotice()
  const { id, title, body, level, audience, dismissible, dismissed, brand } = notice
  const language = i18n.language === 'zh' ? 'zh' : 'en'
  const words = title?.[language] ?? body[language].slice(0, 80)
  async function remove() {
    const question = { title: t('notices.removeAsk'), text: t('notices.removeText') }
    if (await confirm({ ...question, action: t('notices.remove'), tone: 'bad' }))
      removing.mutate(id, { onSuccess: () => toast(t('notices.removed'), 'done') })
  }
  return (
    <li className={items.item}>
      <div className={styles.words}>
        <span className={styles.name}>{words}</span>
        <span className={items.soft}>
          {[t(`notices.levels.${level}`), t(`notices.audiences.${audience}`), brand, stateText(notice)]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <span className={items.soft}>
          {dismissible ? t('notices.putAway', { count: dismissed }) : t('notices.stays')}
        </span>
        {removing.error && (
          <span role="alert" className={shared.bad}>
            {problemText(problemOf(removing.error))}
          </span>
        )}
      </div>
      <div className={shared.buttons}>
        <Button aria-label={t('notices.editOf', { words })} onClick={onEdit}>
          {t('notices.edit2')}
        </Button>
        <Button
          aria-label={t('notices.removeOf', { words })}
          loading={removing.isPending}
          onClick={() => void remove()}
        >
          {t('notices.remove')}
        </Button>
      </div>
    </li>
  )
}
