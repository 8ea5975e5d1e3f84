it('is reported', () => undefined);

throw new Error('planted');
