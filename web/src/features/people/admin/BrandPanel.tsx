import { Box, Button, Checkbox, ColorInput, NativeSelect, TextInput } from '@mantine/core'
import type { Brand } from '@vigil/contract/people/accounts.ts'
import type { BrandWrite, Site } from '@vigil/contract/people/site.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import items from '../../../ui/Items.module.css'
import styles from './Admin.module.css'
import { useChangeBrand, useResetBrand } from './admin.api.ts'
import { FIRST_COLORS } from './brand-colors.ts'
import { BrandLook } from './BrandLook.tsx'

type SiteBrand = Site['brands'][number]
type Colors = NonNullable<Brand['colors']>

const SCHEMES = ['light', 'dark'] as const
const PARTS = ['accent', 'accent_soft', 'on_accent'] as const
/** What is written, with what stands below it. */
const WORDS = [
  { name: 'name', field: 'display_name', hint: null, most: 60 },
  { name: 'email', field: 'email_from', hint: 'emailHint', most: 254 },
  { name: 'docs', field: 'docs', hint: 'docsHint', most: 500 },
  { name: 'community', field: 'community', hint: 'communityHint', most: 500 },
] as const

interface Fields {
  readonly name: string
  readonly email: string
  readonly docs: string
  readonly community: string
  readonly theme: Brand['theme']
  readonly colors: Colors | null
}

const fieldsOf = ({ shown, email_from: email }: SiteBrand): Fields => ({
  name: shown.display_name,
  email: email ?? '',
  docs: shown.docRoot,
  community: shown.community,
  theme: shown.theme,
  colors: shown.colors,
})

const wishOf = ({ name, email, docs, community, theme, colors }: Fields): BrandWrite => ({
  display_name: name.trim(),
  email_from: email.trim() || null,
  docs: docs.trim() || null,
  community: community.trim() || null,
  theme,
  colors,
})

/** One brand: what it is called and looks like, with a preview in both themes, and back to what its file has. The usual one is shown wherever no other is. */
export function BrandPanel({ brand, isUsual }: { brand: SiteBrand; isUsual: boolean }) {
  const { t } = useTranslation('admin')
  const { shown, hosts, is_changed: isChanged } = brand
  return (
    <Panel
      title={t('site.brand', { name: shown.display_name })}
      aside={isChanged && <ResetButton name={shown.name} displayName={shown.display_name} />}
    >
      <Box className={items.soft} mb={14}>
        {hosts.length > 0
          ? t('site.hosts', { hosts: hosts.join(', ') })
          : t(isUsual ? 'site.anyHost' : 'site.noHostText')}
      </Box>
      <BrandForm brand={brand} />
    </Panel>
  )
}

function BrandForm({ brand }: { brand: SiteBrand }) {
  const { t } = useTranslation('admin')
  const problemText = useProblemText()
  const [fields, setFields] = useState(() => fieldsOf(brand))
  const changing = useChangeBrand(brand.shown.name)
  const problem = changing.error ? problemOf(changing.error) : null
  const beside = problem?.kind === 'fields' ? problem.fields : {}
  const hasPlace = WORDS.some(({ field }) => beside[field] !== undefined)
  const change = (more: Partial<Fields>) => setFields((before) => ({ ...before, ...more }))
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        changing.mutate(wishOf(fields), { onSuccess: () => toast(t('site.saved'), 'done') })
      }}
    >
      {WORDS.map(({ name, field, hint, most }) => (
        <TextInput
          key={name}
          label={t(`site.${name}`)}
          description={hint && t(`site.${hint}`)}
          value={fields[name]}
          maxLength={most}
          error={beside[field]}
          onChange={(event) => change({ [name]: event.currentTarget.value })}
        />
      ))}
      <Looks fields={fields} change={change} first={brand.shown.colors ?? FIRST_COLORS} />
      {problem && !hasPlace && (
        <p role="alert" className={shared.bad}>
          {problemText(problem)}
        </p>
      )}
      <div>
        <Button type="submit" variant="filled" loading={changing.isPending}>
          {t('save')}
        </Button>
      </div>
    </form>
  )
}

interface LooksProps {
  fields: Fields
  change: (more: Partial<Fields>) => void
  /** Colours to begin with. */
  first: Colors
}

/** Theme and colours, and what comes of them. */
function Looks({ fields: { theme, colors, name }, change, first }: LooksProps) {
  const { t } = useTranslation('admin')
  return (
    <>
      <NativeSelect
        label={t('site.theme')}
        value={theme ?? ''}
        data={[
          { value: '', label: t('site.anyTheme') },
          ...SCHEMES.map((value) => ({ value, label: t(`site.themes.${value}`) })),
        ]}
        onChange={(event) =>
          change({ theme: SCHEMES.find((one) => one === event.currentTarget.value) ?? null })
        }
      />
      <Checkbox
        className={styles.wide}
        label={t('site.ownColors')}
        checked={colors !== null}
        onChange={(event) => change({ colors: event.currentTarget.checked ? first : null })}
      />
      {colors && <ColorFields colors={colors} onChange={(next) => change({ colors: next })} />}
      <section className={styles.wide} aria-label={t('site.previewOf', { name })}>
        <h3 className={shared.label}>{t('site.preview')}</h3>
        <div className={styles.looks}>
          {SCHEMES.filter((one) => theme === null || theme === one).map((scheme) => (
            <BrandLook key={scheme} scheme={scheme} name={name} accents={(colors ?? FIRST_COLORS)[scheme]} />
          ))}
        </div>
      </section>
    </>
  )
}

function ColorFields({ colors, onChange }: { colors: Colors; onChange: (colors: Colors) => void }) {
  const { t } = useTranslation('admin')
  return (
    <>
      {SCHEMES.map((scheme) => (
        <fieldset key={scheme} className={styles.colors}>
          <legend>{t(`site.${scheme}`)}</legend>
          {PARTS.map((part) => (
            <ColorInput
              key={part}
              label={t(`site.colorOf.${part}`)}
              format="hex"
              withEyeDropper={false}
              value={colors[scheme][part]}
              onChange={(value) => onChange({ ...colors, [scheme]: { ...colors[scheme], [part]: value } })}
            />
          ))}
        </fieldset>
      ))}
    </>
  )
}

function ResetButton({ name, displayName }: { name: string; displayName: string }) {
  const { t } = useTranslation('admin')
  const resetting = useResetBrand(name)
  async function reset() {
    const question = { title: t('site.resetAsk', { name: displayName }), text: t('site.resetText') }
    if (await confirm({ ...question, action: t('site.reset') })) resetting.mutate(undefined)
  }
  return (
    <Button size="xs" loading={resetting.isPending} onClick={() => void reset()}>
      {t('site.reset')}
    </Button>
  )
}
