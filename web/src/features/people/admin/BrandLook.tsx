import { Box } from '@mantine/core'
import type { Brand } from '@vigil/contract/people/accounts.ts'
import { useTranslation } from '../../../lib/translation.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Admin.module.css'
import { contrast, GROUNDS } from './brand-colors.ts'

/** WCAG 2.2, 1.4.3. */
const LEAST = 4.5

interface BrandLookProps {
  scheme: 'light' | 'dark'
  name: string
  accents: NonNullable<Brand['colors']>['light']
}

/** How a brand looks in one theme; says when its words can't be read. */
export function BrandLook({ scheme, name, accents }: BrandLookProps) {
  const { t } = useTranslation('admin')
  const ratio = contrast(accents.on_accent, accents.accent)
  return (
    <Box
      className={styles.look}
      bg={GROUNDS[scheme].bg}
      c={GROUNDS[scheme].c}
      __vars={{
        '--look-accent': accents.accent,
        '--look-soft': accents.accent_soft,
        '--look-on': accents.on_accent,
      }}
    >
      <div className={styles.lookHead}>
        <span aria-hidden />
        <span>{name}</span>
      </div>
      <p>{t('site.previewText')}</p>
      <span className={styles.lookChip}>{t(`site.${scheme}`)}</span>
      <span className={styles.lookButton}>{t('site.previewButton')}</span>
      {ratio < LEAST && (
        <small role="alert" className={shared.bad}>
          {t('site.contrast', { ratio: ratio.toFixed(1) })}
        </small>
      )}
    </Box>
  )
}
