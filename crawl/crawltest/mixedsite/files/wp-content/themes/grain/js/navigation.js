/* Handles toggling of the navigation menu for small screens. */
( function() {
	const siteNavigation = document.getElementById( 'site-navigation' );
	if ( ! siteNavigation ) {
		return;
	}
	const button = siteNavigation.getElementsByTagName( 'button' )[ 0 ];
	const menu = siteNavigation.getElementsByTagName( 'ul' )[ 0 ];
	if ( ! menu.classList.contains( 'nav-menu' ) ) {
		menu.classList.add( 'nav-menu' );
	}
	button.addEventListener( 'click', function() {
		siteNavigation.classList.toggle( 'toggled' );
		button.setAttribute( 'aria-expanded', siteNavigation.classList.contains( 'toggled' ) );
	} );
	for ( const link of menu.getElementsByTagName( 'a' ) ) {
		link.addEventListener( 'focus', function() { link.parentNode.classList.add( 'focus' ); }, true );
	}
}() );
