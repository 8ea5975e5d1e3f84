import { newApiKey, newApplicationId, newOAuthToken, regionOf, regionOfApplication, regions } from '#regions';

describe('the region', () => {
  it.each(regions)('%s is read from every credential of it, and from an application’s id', (region) => {
    const credentials = [
      newApiKey('live', region),
      newApiKey('test', region),
      ...(['at', 'rt', 'ac'] as const).map((kind) => newOAuthToken(kind, region)),
    ];
    expect(credentials.map(regionOf)).toEqual(credentials.map(() => region));
    expect(regionOfApplication(newApplicationId(region))).toBe(region);
  });

  it.each(['', 'sk_live_us_short', 'sk_live_an_operators_own_key_0123', 'at_us_unknown', `at_mars_${'a'.repeat(43)}`])(
    'cannot be read from %s',
    (credential) => expect(regionOf(credential)).toBeUndefined(),
  );

  it.each(['', 'app_us_short', `app_mars_${'a'.repeat(22)}`, 'https://assistant.example/app_us_client.json'])(
    'of application %s is unknown to us',
    (id) => expect(regionOfApplication(id)).toBeUndefined(),
  );
});
