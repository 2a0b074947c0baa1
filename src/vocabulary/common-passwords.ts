/**
 * Words of the passwords that occur most often in lists of stolen ones, in lower case and without the digits and
 * punctuation at their ends: `password` stands for `Password1` and `Password2026!`. Where fewer than three letters would
 * remain, the whole password is listed.
 */
const COMMON = new Set(
  `
password passwords passwort passw0rd p@ssw0rd p@ssword pa$$w0rd pa$$word pa55w0rd pa55word pass passpass mypassword
newpassword thepassword passwordpassword changeme letmein welcome default testtest test testing temp temppass guest
secret login user username master administrator admin adminadmin root rootroot toor superuser system server company
monday summer winter spring autumn january february september october november december qwertyui qwertyuiop qwerty
qwertyqwerty qwer qwerasdf qwertzui qwertzuiop qwertz azertyui azertyuiop azerty qweasdzxc qweasd qwe qweqweqwe
1qaz2wsx 1qaz2wsx3edc 1qazxsw 2wsx3edc zaq12wsx zaq1zaq zaq1xsw 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r q1w2e3r4t
q1w2e3r4t5y 1q1q1q1q a1s2d3f asdfghjk asdfghjkl asdf asdfasdf asd asdasdasd asdqwe zxcvbnm zxcv 1234qwer 12345qwert
123456qwerty 123qweasd 123qwe 123qweasdzxc 123qwerty 1234asdf abcd abcdefgh abcdefghi abcdefg abcdef abc abcabc
a1b2c3d a1b2c3d4e a12345678 a123456789 a1234567 aa123456 aa12345678 aaaaaaaa aaaa 1111aaaa q1234567 q12345678 z1234567
x1234567 s1234567 123456aa 123456ab 123456abc 12345abc 12345abcd 1234abcd 1234567a 12345678a 123456789a 123456789q
1234567q 123123qwe 123abc 11223344a 1a2b3c4d 1a2b3c4d5e iloveyou iloveme ilovegod ilovejesus lovelove loveyou love
loveme lovers forever sunshine princess princesa angel angels blessed jesus jesuschrist football baseball basketball
softball volleyball soccer hockey liverpool arsenal chelsea barcelona juventus realmadrid manchester yankees cowboys
steelers lakers michael michelle jennifer jessica samantha elizabeth victoria veronica nicholas jonathan benjamin
alexander alexandra alexandr danielle daniel christian christina christine christopher charlotte charlie thomas robert
william anthony matthew andrew jordan ashley hannah brandon isabella gabriel gabriela patricia caroline katherine
stephanie sebastian fernando francisco superman batman spiderman starwars pokemon naruto minecraft warcraft
playstation nintendo computer internet samsung google facebook linkedin microsoft mustang corvette ferrari mercedes
porsche harley whatever trustno dragon monkey shadow hunter killer ginger buster pepper cookie cheese banana chocolate
butterfly elephant dolphin dolphins panther tigger mickey snoopy midnight moonlight rainbow flower diamond diamonds
crystal garfield scorpion scorpio phoenix stargate startrek blink metallica slipknot nirvana eminem bigdaddy bigboy
player hello hellohello hellokitty goodluck happy freedom success fuckyou asshole bullshit babygirl lovely precious
sweetheart swordfish jackson marlboro budweiser guinness heineken access australia germany america brooklyn california
newyork portugal argentina vladimir
`
    .trim()
    .split(/\s+/),
);

/** Returns what is wrong with a common password; undefined for any other. */
export function findCommonFault(password: string): string | undefined {
  const text = password.toLowerCase();
  const isCommon = COMMON.has(text) || COMMON.has(text.replace(/[^\p{L}]+$/u, ''));
  return isCommon ? 'Password is one of the most common ones; choose another' : undefined;
}
