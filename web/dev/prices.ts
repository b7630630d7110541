import type { Pricing } from '@vigil/contract/shop/subscriptions.ts'

const MIB = 1_048_576
const LIMITS = {
  printers: 1,
  detection_interval_seconds: 30,
  hours_per_month: 10,
  stream_fps: 5,
  stream_cycle_seconds: 30,
  tunnel_bytes: 300 * MIB,
  g_code_file_bytes: 50 * MIB,
  g_code_storage_bytes: 1024 * MIB,
  sms: false,
  sharing: false,
}

/** What plans give and cost, as the shipped file has it. */
export const PRICES: Pricing = {
  currency: 'USD',
  label: 'Pro',
  plans: [
    {
      plan_id: 'pro',
      billing_cycle: 'annual',
      months: 12,
      base_cents: 4800,
      extra_printer_cents: 2400,
      included_hours: 50,
    },
    {
      plan_id: 'pro',
      billing_cycle: 'monthly',
      months: 1,
      base_cents: 600,
      extra_printer_cents: 300,
      included_hours: 50,
    },
  ],
  limits: {
    free: LIMITS,
    pro: {
      ...LIMITS,
      printers: null,
      detection_interval_seconds: 10,
      hours_per_month: 50,
      stream_fps: 25,
      stream_cycle_seconds: null,
      tunnel_bytes: null,
      g_code_file_bytes: 500 * MIB,
      g_code_storage_bytes: 51_200 * MIB,
      sms: true,
      sharing: true,
    },
  },
  dhpacks: [
    {
      level: '5',
      hours: 300,
      subscribe_cents: { annual: 6000, monthly: 750 },
      prepaid_hours: null,
      prepaid_cents: null,
    },
    {
      level: '10',
      hours: 800,
      subscribe_cents: { annual: 12_000, monthly: 1500 },
      prepaid_hours: 200,
      prepaid_cents: 1000,
    },
  ],
  recommended_by_printers: ['5', '10'],
  annual_saves_percent: 33,
  most_printers: 100,
  trial: { days: 30, hours: 250 },
  refund_days: 30,
  checkout: 'sandbox',
}
