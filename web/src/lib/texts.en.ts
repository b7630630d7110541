import accounts from '../../../locales/en/accounts.json'
import common from '../../../locales/en/common.json'
import linking from '../../../locales/en/linking.json'
import printers from '../../../locales/en/printers.json'
import settings from '../../../locales/en/settings.json'

export const texts = { accounts, common, linking, printers, settings }
