import { NativeSelect } from '@mantine/core'
import type { Site } from '@vigil/contract/people/site.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { Failed, useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import rows from '../../../ui/Rows.module.css'
import { SettingRow } from '../../../ui/SettingRow.tsx'
import shared from '../../../ui/shared.module.css'
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
      {data && <Parts site={data} />}
    </AdminPage>
  )
}

/** Features and the list of brands, and beside these the one that is dressed. */
function Parts({ site: { flags, brands } }: { site: Site }) {
  const { t } = useTranslation('admin')
  const [chosen, choose] = useState<string | null>(null)
  const brand = brands.find(({ shown }) => shown.name === chosen) ?? brands[0]
  return (
    <div className={shared.halves}>
      <div className={shared.half}>
        <Panel title={t('site.features')}>
          {flags.map((flag) => (
            <FlagRow key={flag.name} flag={flag} />
          ))}
        </Panel>
        {brands.length > 1 && (
          <Panel title={t('site.brands')}>
            <ul className={rows.rows} data-tall>
              {brands.map(({ shown: { name, display_name: called }, hosts }, at) => (
                <li key={name}>
                  <button
                    type="button"
                    className={rows.row}
                    data-ends
                    aria-pressed={name === brand?.shown.name}
                    onClick={() => choose(name)}
                  >
                    <bdi>{called}</bdi>
                    <span className={shared.small}>
                      {hosts.join(', ') || t(at === 0 ? 'site.otherHosts' : 'site.noHost')}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </Panel>
        )}
      </div>
      {brand && (
        <BrandPanel
          key={`${brand.shown.name} ${brand.is_changed}`}
          brand={brand}
          isUsual={brand === brands[0]}
        />
      )}
    </div>
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
