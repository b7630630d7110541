import accounts from '../../../locales/zh/accounts.json'
import common from '../../../locales/zh/common.json'
import linking from '../../../locales/zh/linking.json'
import printers from '../../../locales/zh/printers.json'
import settings from '../../../locales/zh/settings.json'

export const texts = { accounts, common, linking, printers, settings }
