import { Link } from '@tanstack/react-router'
import { useTranslation } from '../lib/translation.ts'
import { useHeaderHidden } from '../lib/header.ts'
import { paths } from '../lib/paths.ts'
import { useBootstrap } from '../lib/session.ts'
import { usePlaces } from '../lib/usePlaces.ts'
import { PlaceLink } from './PlaceLink.tsx'
import styles from './GuestNav.module.css'

/** The links of pages without the frame of the signed-in: nothing inside an app, or with `hide_header=true`. */
export function GuestNav() {
  const { t } = useTranslation('common')
  const { user, settings } = useBootstrap()
  const { foot } = usePlaces()
  if (useHeaderHidden()) return null
  return (
    <nav aria-label={t('nav.label')} className={styles.links}>
      {foot.map((place) => (
        <PlaceLink key={place.to} place={place}>
          {t(place.text)}
        </PlaceLink>
      ))}
      {user ? (
        <Link to={paths.printers}>{t('nav.printers')}</Link>
      ) : (
        <>
          <Link to={paths.login}>{t('nav.signIn')}</Link>
          {settings.ACCOUNT_ALLOW_SIGN_UP && <Link to={paths.signUp}>{t('nav.signUp')}</Link>}
        </>
      )}
    </nav>
  )
}
