import { Int, ListOfObjects, Text } from '#operations';

export class MissingTranslation {
  @Text({ description: 'Language.', max: 35 }) locale: string;
  @Text({ description: 'Text of the guide.', max: 200 }) textKey: string;
}

export class MissingTranslationsDetails {
  @ListOfObjects(() => MissingTranslation, { description: 'The first 100 that are missing.', max: 100 })
  missing: MissingTranslation[];

  @Int({ description: 'How many are missing.', min: 0, max: 1_000_000 }) missingCount: number;
}
