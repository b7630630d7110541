import { Button, Flex, Stack } from '@mantine/core'
import { IconBrandAndroid, IconBrandApple, IconCheck } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Partner, PartnerOffer } from '@vigil/contract/shop/coupons.ts'
import type { Pricing } from '@vigil/contract/shop/subscriptions.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useQueryValues } from '../../../lib/address.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { lazyDialog } from '../../../ui/lazily.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useOfferTexts } from './useOfferTexts.ts'
import { useRedeem } from './useRedeem.tsx'
import styles from './Partner.module.css'

const SignUpDialog = lazyDialog(async () => (await import('./SignUpDialog.tsx')).SignUpDialog)

interface OfferProps {
  partner: Partner
  offer: PartnerOffer
  code: string
  prices: Pricing
  /** Has no plan, or tries one: others have nothing to redeem here. */
  isFree: boolean
}

/** What the offer is, what it brings, and the way to it. */
export function OfferPage(props: OfferProps) {
  const { t } = useTranslation('partners')
  const texts = useOfferTexts(props)
  return (
    <Stack gap={14} w="100%" maw={720} m="0 auto">
      <section className={styles.hero}>
        <p className={styles.from}>{texts.from}</p>
        <h1 className={styles.title}>{texts.title}</h1>
        <p className={styles.lead}>{texts.lead}</p>
        <Redeem {...props} />
        <p className={styles.small}>{texts.note}</p>
      </section>
      <Panel title={t('included')}>
        <ul className={styles.gains}>
          {texts.gains.map((gain) => (
            <li key={gain}>
              <IconCheck size={18} stroke={1.75} aria-hidden />
              {gain}
            </li>
          ))}
        </ul>
      </Panel>
      <Apps partner={props.partner} />
      <Panel title={t('questions')}>
        {texts.questions.map(({ ask, answer }) => (
          <details key={ask} className={styles.ask}>
            <summary>{ask}</summary>
            <p>{answer}</p>
          </details>
        ))}
      </Panel>
    </Stack>
  )
}

/** The button that redeems; who has just signed up for it need not press it again. */
function Redeem({ partner, offer, code, isFree }: OfferProps) {
  const { t } = useTranslation('partners')
  const { user } = useBootstrap()
  const { redirect, ...values } = useQueryValues()
  const navigate = useNavigate()
  const [isAsked, setAsked] = useState(false)
  const { redeem, isPending } = useRedeem({ offer, code, isFree })
  const hasBegun = useRef(false)
  const isOwed = redirect !== undefined && user !== null

  useEffect(() => {
    if (!isOwed || hasBegun.current) return
    hasBegun.current = true
    // Once: whoever goes back to here, from a checkout too, is not led away again.
    void navigate({ to: '.', search: values, replace: true })
    redeem()
  }, [isOwed, redeem, navigate, values])

  return (
    <>
      <Button
        variant="filled"
        size="md"
        loading={isPending}
        onClick={() => (user ? redeem() : setAsked(true))}
      >
        {t('redeem')}
      </Button>
      {isAsked && <SignUpDialog partner={partner.partner} code={code} onClose={() => setAsked(false)} />}
    </>
  )
}

/** Where our apps for phones are; without any, a browser keeps us as one. */
function Apps({ partner: { apps } }: { partner: Partner }) {
  const { t } = useTranslation('partners')
  const { display_name: brand } = useBootstrap().page_context.syndicate
  const stores = [
    [apps.ios, t('apps.ios'), IconBrandApple],
    [apps.android, t('apps.android'), IconBrandAndroid],
  ] as const
  return (
    <Panel title={t('apps.title')}>
      <Flex align="center" wrap="wrap" gap={8}>
        {stores.map(([url, name, Icon]) =>
          url === null ? null : (
            <Button
              key={name}
              component="a"
              href={url}
              target="_blank"
              rel="noreferrer"
              leftSection={<Icon size={18} stroke={1.75} />}
            >
              {name}
            </Button>
          ),
        )}
      </Flex>
      {apps.ios === null && apps.android === null && (
        <p className={styles.small}>{t('apps.browser', { brand })}</p>
      )}
    </Panel>
  )
}
