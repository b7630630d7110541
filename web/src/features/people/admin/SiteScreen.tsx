import { NativeSelect } from '@mantine/core'
import type { Site } from '@vigil/contract/people/site.ts'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { Failed, useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SettingRow } from '../../../ui/SettingRow.tsx'
import { AdminPage } from './AdminPage.tsx'
import { useSite, useTurnFlag } from './admin.api.ts'
import { BrandPanel } from './BrandPanel.tsx'

/** `/admin/site/`: features that are turned on and off, and brands that are dressed anew, while the server runs. */
export default function SiteScreen() {
  const { t } = useTranslation('admin')
  const { data, error, refetch } = useSite()
  return (
    <AdminPage title={t('sections.site')} isBusy={!data && !error}>
      {error && <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />}
      {data && (
        <Panel title={t('site.features')}>
          {data.flags.map((flag) => (
            <FlagRow key={flag.name} flag={flag} />
          ))}
        </Panel>
      )}
      {data?.brands.map((brand) => (
        <BrandPanel key={`${brand.shown.name} ${brand.is_changed}`} brand={brand} />
      ))}
    </AdminPage>
  )
}

function FlagRow({ flag: { name, value, usual, is_changed: isChanged } }: { flag: Site['flags'][number] }) {
  const { t } = useTranslation('admin')
  const problemText = useProblemText()
  const turn = useTurnFlag(name)
  const error = turn.error ? problemText(problemOf(turn.error)) : null
  const word = (on: boolean) => t(on ? 'site.on' : 'site.off')
  const done = { onSuccess: () => toast(t('site.turned'), 'done') }
  return (
    <SettingRow
      label={t(`site.flags.${name}`)}
      hint={name}
      state={{ phase: turn.isPending ? 'saving' : 'idle', error }}
    >
      {(ids) => (
        <NativeSelect
          {...ids}
          value={isChanged ? String(value) : ''}
          disabled={turn.isPending}
          data={[
            { value: '', label: t('site.asUsual', { value: word(usual) }) },
            { value: 'true', label: word(true) },
            { value: 'false', label: word(false) },
          ]}
          onChange={({ currentTarget: { value: chosen } }) =>
            turn.mutate(chosen === '' ? null : chosen === 'true', done)
          }
        />
      )}
    </SettingRow>
  )
}
