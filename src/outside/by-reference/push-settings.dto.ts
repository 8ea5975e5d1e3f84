import { Flag, Id, ListOf, OneOf } from '#operations';

export const pushProvider = 'push';
const ownable = ['all', 'dates'] as const;

/** Settings of a connection to a system that writes to us. */
export class PushSettings {
  @Flag({
    description:
      'Whether its stays may overlap others; they are then kept and flagged instead of rejected; default: true.',
    optional: true,
  })
  ownsOverlaps?: boolean;

  @OneOf(ownable, {
    description:
      'Fields of its stays that only it can change: all (dates, type, status, channel, code, guest, counts and total) or dates (dates and status); default: all.',
    optional: true,
  })
  fields?: (typeof ownable)[number];

  @ListOf(
    { text: 100 },
    { description: 'Ids of the only credentials that may write by reference; default: any.', optional: true, max: 50 },
  )
  credentialIds?: string[];

  @Id('property', {
    description: 'The only property that it writes to (property_…), from listProperties; default: any.',
    optional: true,
  })
  propertyId?: string;
}

export const pushSettingsOf = ({
  settings,
}: {
  settings: object;
}): Required<Pick<PushSettings, 'ownsOverlaps' | 'fields'>> => {
  const { ownsOverlaps = true, fields = 'all' } = settings as PushSettings;
  return { ownsOverlaps, fields };
};
