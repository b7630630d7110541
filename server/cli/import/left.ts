/** Tables of Obico's server that stay where they are, and why. A name may end in `*`. */
const LEFT: readonly (readonly [string, string])[] = [
  ['app_syndicate', 'told by the brand of each account'],
  ['app_syndicate_sites', 'addresses of the server there'],
  ['oauth2_provider_application', 'its name came with each token'],
  ['app_printerprediction', 'what the detector there thinks of a print that runs; ours begins anew'],
  ['app_printercommand', 'not used any more'],
  ['app_onetimeverificationcode', 'codes of two hours'],
  ['app_firstlayer*', 'first layers, which its open server does not judge'],
  ['app_jusprin*', 'the assistant of its slicer'],
  ['app_historical*', 'who changed what there'],
  ['django_session', 'people sign in again; agents, slicers and links go on'],
  ['account_emailconfirmation', 'links that confirm addresses there'],
  ['oauth2_provider_*', 'steps on the way to a token'],
  ['socialaccount_*', 'keys of providers: set OIDC_…, GOOGLE_… or APPLE_… here'],
  ['authtoken_token', 'tokens of an API that is not served'],
  ['channels_presence_*', 'who was connected'],
  ['django_*', 'the framework’s own'],
  ['auth_*', 'the framework’s own: rights of its pages for administrators'],
  ['app_user_groups', 'the framework’s own: rights of its pages for administrators'],
  ['app_user_user_permissions', 'the framework’s own: rights of its pages for administrators'],
]

/** Why a table stays where it is. */
export function whyLeft(table: string): string {
  const known = LEFT.find(([name]) =>
    name.endsWith('*') ? table.startsWith(name.slice(0, -1)) : table === name,
  )
  return known?.[1] ?? 'not known here: perhaps of a version that is newer, or much older'
}
