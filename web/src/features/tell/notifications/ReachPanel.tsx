import { Box, Button, Flex } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import { hindrance } from '../../../lib/push.ts'
import { reachQuery } from '../../../printer/reach.api.ts'
import { Panel } from '../../../ui/Panel.tsx'
import { Browsers } from './Browsers.tsx'
import { ChannelFields } from './ChannelFields.tsx'
import { type ChannelForm, CHANNELS, channelNamed } from './channels.ts'
import { MailAddresses } from './MailAddresses.tsx'
import { isAvailable, pluginsQuery, settingsQuery } from './notifications.api.ts'
import styles from './Notifications.module.css'
import { TestButton } from './TestButton.tsx'
import { useChannelWords } from './useChannelWords.ts'

/** "How shall we reach you?": a channel, and a test that proves it. Nothing while alerts are known to arrive. */
export function ReachPanel() {
  const { t } = useTranslation('notifications')
  const plugins = useQuery(pluginsQuery)
  const settings = useQuery(settingsQuery)
  const reach = useQuery(reachQuery)
  const [chosen, setChosen] = useState<string | null>(null)
  if (!plugins.data || !settings.data || !reach.data) return null
  // Once one is being set up, it stays until its test has been seen.
  if (reach.data.reach === 'works' && chosen === null) return null
  const isPlain = hindrance() === 'insecure'
  const here = hindrance() === null ? ['webpush', 'email'] : ['email']
  const rank = ({ name, isQuick = false }: ChannelForm) => (name === 'webpush' ? 2 : Number(isQuick))
  const offered = CHANNELS.filter(
    ({ name, fields }) => isAvailable(plugins.data[name]) && (fields.length > 0 || here.includes(name)),
  ).toSorted((a, b) => rank(b) - rank(a))
  const form = chosen === null ? undefined : channelNamed(chosen)
  const setting = settings.data.find(({ name }) => name === chosen)
  return (
    <Panel title={t('wizard.title')}>
      <p className={styles.lead}>{t('wizard.lead')}</p>
      {isPlain && (
        <Box component="p" m={0} p="4px 0" c="dimmed" fz={14}>
          {t('push.wizard')}
        </Box>
      )}
      <Offered names={offered.map(({ name }) => name)} chosen={chosen} onChoose={setChosen} />
      {form?.name === 'webpush' && <Browsers />}
      {form?.name === 'email' && <MailAddresses plugin={plugins.data['email']} />}
      {form && <ChannelFields key={form.name} form={form} setting={setting} />}
      {form && setting && <TestButton key={setting.id} id={setting.id} channel={form.name} />}
      <Button
        variant="subtle"
        maw="100%"
        mt={6}
        renderRoot={(props) => <Link {...props} to={paths.notifications} />}
      >
        {t('wizard.all')}
      </Button>
    </Panel>
  )
}

interface OfferedProps {
  readonly names: readonly ChannelForm['name'][]
  readonly chosen: string | null
  readonly onChoose: (name: string) => void
}

function Offered({ names, chosen, onChoose }: OfferedProps) {
  const { t } = useTranslation('notifications')
  const words = useChannelWords()
  return (
    <Flex wrap="wrap" gap={8} p="8px 0" role="group" aria-label={t('wizard.title')}>
      {names.map((name) => (
        <Button
          key={name}
          size="sm"
          variant={name === chosen ? 'filled' : 'default'}
          aria-pressed={name === chosen}
          onClick={() => onChoose(name)}
        >
          {words(name, 'name')}
        </Button>
      ))}
    </Flex>
  )
}
