WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
INSERT INTO players SELECT i, iif(i < 4, 'name ' || i, 'two ' || i), i % 50 FROM n WHERE i % 5 > 0;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
INSERT INTO items SELECT i, (SELECT id FROM players WHERE id >= i % 197 + 1 ORDER BY id LIMIT 1), 'axe ' || i % 9 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 80)
INSERT INTO mail SELECT i, (SELECT id FROM players WHERE id >= i * 2 ORDER BY id LIMIT 1), 'hi ' || i FROM n;
