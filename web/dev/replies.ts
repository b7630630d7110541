import type { Brand } from '@vigil/contract/people/accounts.ts'
import type { SharedWebcam } from '@vigil/contract/remote/sharing.ts'
import { ago } from './time.ts'

const brand = (name: string, more: Partial<Brand>): Brand => ({
  name,
  display_name: name,
  docRoot: '/help/',
  community: '',
  logo_full: `/brands/${name}/mark.svg`,
  theme: null,
  colors: null,
  ...more,
})

export const BRANDS = {
  base: brand('base', { display_name: 'Vigil' }),
  yumi: brand('yumi', {
    display_name: 'Yumi',
    docRoot: 'https://docs.example.org/',
    community: 'https://chat.example.org/',
    theme: 'dark',
    colors: {
      light: { accent: '#8a35bd', accent_soft: '#f5e9fc', on_accent: '#ffffff' },
      dark: { accent: '#d296ff', accent_soft: '#371f49', on_accent: '#0f1115' },
    },
  }),
}

/** What a share link shows. */
export const sharedPrinter = (webcams: SharedWebcam[] = []) => ({
  name: 'Voron 2.4',
  pic: { img_url: '/media/good.svg', taken_at: ago(4) },
  settings: {
    webcams,
    data_channel_id: '',
    ratio169: true,
    webcam_flipV: false,
    webcam_flipH: false,
    webcam_rotation: 0,
    webcam_rotate90: false,
    webcam_streamRatio: '16:9',
  },
})

const shareLink = (id: number, more: object) => ({
  id,
  printer_id: 1,
  share_token: 'a'.repeat(32),
  url: `http://127.0.0.1:4173/house/printers/share_token/${'3f9c'.repeat(8)}/`,
  label: '',
  is_default: false,
  ends_at: null,
  has_ended: false,
  has_pin: false,
  viewers: 0,
  last_used_at: null,
  created_at: ago(90_000),
  ...more,
})

export const shareLinks = [
  shareLink(1, { is_default: true, viewers: 2, last_used_at: ago(40) }),
  shareLink(2, { label: 'Makerspace screen', has_pin: true, ends_at: ago(-90_000), last_used_at: ago(7200) }),
  shareLink(3, { label: 'Client: vase', ends_at: ago(3600), has_ended: true }),
]

export const products = [
  ['Mintion', 'Beagle Cam V2'],
  ['Creality', 'Nebula Pad'],
  ['Creality', 'Sonic Pad'],
  ['BIQU', 'Hurakan'],
  ['Sovol', 'SV07 Plus'],
  ['Kingroon', 'KLP1'],
  ['FLSUN', 'S1 Pro'],
  ['Qidi', 'X-Max 3'],
].map(([brand, model]) => ({ brand, model, image_url: null }))

/** A printer of the account's own, with Klipper's agent. */
export const OWN = {
  role: 'owner',
  shared_by: null,
  agent_name: 'moonraker_obico',
  agent_version: '2.1.4',
} as const
